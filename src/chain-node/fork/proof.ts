import { decodeHex, encodeHex, type Hex } from '../codec/hex.ts'
import { keccak256 } from '../engine/crypto.ts'
import {
  type AccountRecord,
  createStateReader,
  decodeAccount,
  decodeSlot,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  equalBytes,
  NO_BYTES,
} from '../engine/state/state-reader.ts'
import { readDataOf, readFieldsOf, readQuantityOf, refuseAnswer } from './answer-fields.ts'
import { RemoteError } from './remote.ts'

const METHOD = 'eth_getProof'

/** What a remote node's proofs are checked against. */
export interface ProvenBlock {
  readonly number: bigint
  readonly stateRoot: Hex
}

/**
 * The account that an answer to `eth_getProof` proves. Throws `RemoteError` where its proof does not lead from the state root to
 * the account, or where what it says of it is something else.
 *
 * @returns an empty account for one that is not there
 */
export function verifyAccount(block: ProvenBlock, address: Hex, answer: unknown): AccountRecord {
  const fields = readFieldsOf(METHOD, answer)
  const place = `account ${address} at block ${block.number}`
  const nodes = readProof(`${METHOD}.accountProof`, fields.list('accountProof'))
  const value = followProof(place, decodeHex(block.stateRoot), address, nodes)
  const account = value === null ? NO_ACCOUNT : decodeAccount(value)
  const isSame =
    fields.quantity('balance') === account.balance &&
    fields.quantity('nonce') === account.nonce &&
    (value === null ||
      (equalBytes(decodeHex(fields.data('codeHash', 32)), account.codeHash) &&
        equalBytes(decodeHex(fields.data('storageHash', 32)), account.storageRoot)))
  if (!isSame) throw refuseLie(place)
  return account
}

/**
 * The values of slots, without leading zeros, that an answer to `eth_getProof` proves. Throws `RemoteError` as `verifyAccount` does.
 *
 * @param slots - those that were asked for, in their order
 */
export function verifySlots(
  block: ProvenBlock,
  address: Hex,
  slots: readonly Hex[],
  answer: unknown,
): Uint8Array[] {
  const { storageRoot } = verifyAccount(block, address, answer)
  const proofs = readFieldsOf(METHOD, answer).list('storageProof')
  if (proofs.length !== slots.length) {
    throw refuseAnswer(`${METHOD}.storageProof`, `has ${proofs.length} slots of ${slots.length}`)
  }
  return slots.map((slot, index) => {
    const name = `${METHOD}.storageProof[${index}]`
    const fields = readFieldsOf(name, proofs[index])
    const place = `slot ${slot} of ${address} at block ${block.number}`
    const nodes = readProof(`${name}.proof`, fields.list('proof'))
    const value = followProof(place, storageRoot, slot, nodes)
    const bytes = value === null ? NO_BYTES : decodeSlot(value)
    if (fields.quantity('value') !== toInteger(bytes)) throw refuseLie(place)
    return bytes
  })
}

/** Throws `RemoteError` where code does not have the hash that was proven. */
export function verifyCode(
  block: ProvenBlock,
  address: Hex,
  code: Uint8Array,
  codeHash: Uint8Array,
): void {
  const hash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code)
  if (equalBytes(hash, codeHash)) return
  throw refuseLie(`code of ${address} at block ${block.number}`)
}

/** Reads a value of a slot as `eth_getStorageAt` answers it. @returns without leading zeros */
export function readSlotValue(place: string, value: unknown): Uint8Array {
  const integer = readQuantityOf(place, value)
  if (integer === 0n) return NO_BYTES
  const digits = integer.toString(16)
  return Uint8Array.from(Buffer.from(digits.length & 1 ? `0${digits}` : digits, 'hex'))
}

const NO_ACCOUNT: AccountRecord = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_ROOT,
  codeHash: EMPTY_CODE_HASH,
}

function readProof(place: string, proof: readonly unknown[]): Uint8Array[] {
  return proof.map((node, index) =>
    Uint8Array.from(decodeHex(readDataOf(`${place}[${index}]`, node, null))),
  )
}

/** What stands under the hash of a key in the trie of a root, of which the nodes on the way are given. */
function followProof(
  place: string,
  root: Uint8Array,
  key: Hex,
  proof: readonly Uint8Array[],
): Uint8Array | null {
  const nodes = new Map(proof.map(node => [encodeHex(keccak256(node)), node]))
  const reader = createStateReader({ get: hash => nodes.get(encodeHex(hash)) }, keccak256)
  try {
    return reader.find(root, decodeHex(key))
  } catch {
    throw new RemoteError(
      `the remote node's proof of ${place} does not lead there from the root of its state: it is not taken`,
    )
  }
}

function refuseLie(place: string): RemoteError {
  return new RemoteError(
    `what the remote node says of ${place} is not what the root of its state proves: it is not taken`,
  )
}

function toInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(encodeHex(bytes))
}
