import { sha256 } from 'bitcoinjs-lib/src/crypto'
import { isWitnessProgram, typeOfScript, witnessProgramScript } from '../address.ts'
import { concatBytes, fromHex, toHex, toUtf8 } from '../bytes.ts'
import { formatOutpoint, type Outpoint } from '../outpoint.ts'
import {
  addToPublicKey,
  evenPrivateKey,
  isPrivate,
  multiplyPublicKey,
  publicKeyOf,
  sumPrivateKeys,
} from '../secp256k1.ts'
import type { SilentPaymentAddress } from './silent-payment-address.ts'

/**
 * An input of the transaction that pays. `privateKey` is that of the output key for Taproot, with either parity; null for an input
 * that BIP-352 leaves out.
 */
export type KeyedInput = Outpoint & { scriptPubKey: Uint8Array; privateKey: Uint8Array | null }

/** Inputs or receivers with which no silent payment can be made. */
export class SilentPaymentError extends Error {
  override name = 'SilentPaymentError'
  readonly problem: 'no-input-key' | 'witness-version' | 'key-sum' | 'hash' | 'too-many-outputs'
  constructor(problem: SilentPaymentError['problem'], message: string) {
    super(message)
    this.problem = problem
  }
}

/** K_max of BIP-352: a receiver looks for no more outputs in one transaction. */
export const MAX_OUTPUTS_OF_RECEIVER = 2323

/**
 * The scriptPubKey that pays each receiver, in their order, and the sum of the public keys of the inputs, by which the receivers
 * find them. All of them belong in the transaction, which has exactly these inputs. The caller wipes the keys that it hands in.
 * Throws {@link SilentPaymentError}.
 */
export function deriveSilentPaymentOutputs(
  inputs: readonly KeyedInput[],
  receivers: readonly SilentPaymentAddress[],
): { scripts: Uint8Array[]; inputKeySum: Uint8Array } {
  assertKnownVersions(inputs)
  assertGroupSizes(receivers)
  const sum = sumInputKeys(inputs)
  const groups = new Map<string, { secret: Uint8Array; next: number }>()
  try {
    const inputKeySum = publicKeyOf(sum)
    const inputHash = hashInputs(inputs, inputKeySum)
    const scripts = receivers.map(({ scanKey, spendKey }) => {
      const name = toHex(scanKey)
      const group = groups.get(name) ?? { secret: shareSecret(scanKey, sum, inputHash), next: 0 }
      groups.set(name, group)
      const tweak = toScalar(
        taggedHash('BIP0352/SharedSecret', group.secret, serialize32(group.next++)),
      )
      return witnessProgramScript(1, addToPublicKey(spendKey, tweak).subarray(1))
    })
    return { scripts, inputKeySum }
  } finally {
    for (const { secret } of groups.values()) secret.fill(0)
    sum.fill(0)
  }
}

/** The scan of BIP-352 passes over a transaction that spends an output of a later witness version. */
function assertKnownVersions(inputs: readonly KeyedInput[]): void {
  for (const input of inputs) {
    const [version = 0] = input.scriptPubKey
    if (isWitnessProgram(input.scriptPubKey) && version > 0x51)
      throw new SilentPaymentError(
        'witness-version',
        `Input ${formatOutpoint(input)} is of a witness version above 1, so that the receiver would not look at the payment`,
      )
  }
}

function assertGroupSizes(receivers: readonly SilentPaymentAddress[]): void {
  const sizes = new Map<string, number>()
  for (const { scanKey } of receivers) {
    const name = toHex(scanKey)
    const size = (sizes.get(name) ?? 0) + 1
    if (size > MAX_OUTPUTS_OF_RECEIVER)
      throw new SilentPaymentError(
        'too-many-outputs',
        `One transaction pays a receiver of silent payments at most ${MAX_OUTPUTS_OF_RECEIVER} times`,
      )
    sizes.set(name, size)
  }
}

/** For the caller to wipe. */
function sumInputKeys(inputs: readonly KeyedInput[]): Uint8Array {
  const keys = inputs.flatMap(({ scriptPubKey, privateKey }) => {
    if (!privateKey) return []
    return [typeOfScript(scriptPubKey) === 'p2tr' ? evenPrivateKey(privateKey) : privateKey.slice()]
  })
  try {
    if (keys.length === 0)
      throw new SilentPaymentError(
        'no-input-key',
        'No input has a single key that the receiver of a silent payment could find it by',
      )
    const sum = sumPrivateKeys(keys)
    if (sum) return sum
    throw new SilentPaymentError('key-sum', 'The keys of the inputs add up to nothing')
  } finally {
    for (const key of keys) key.fill(0)
  }
}

function hashInputs(inputs: readonly Outpoint[], inputKeySum: Uint8Array): Uint8Array {
  const [smallest = ''] = inputs.map(serializeOutpoint).toSorted()
  return toScalar(taggedHash('BIP0352/Inputs', fromHex(smallest), inputKeySum))
}

/** In hex, as transactions have it: hex sorts as its bytes do. */
function serializeOutpoint({ txid, vout }: Outpoint): string {
  const index = new Uint8Array(4)
  new DataView(index.buffer).setUint32(0, vout, true)
  return toHex(concatBytes(fromHex(txid).reverse(), index))
}

function shareSecret(scanKey: Uint8Array, sum: Uint8Array, inputHash: Uint8Array): Uint8Array {
  const shared = multiplyPublicKey(scanKey, sum)
  try {
    return multiplyPublicKey(shared, inputHash)
  } finally {
    shared.fill(0)
  }
}

function serialize32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

function toScalar(hash: Uint8Array): Uint8Array {
  if (isPrivate(hash)) return hash
  throw new SilentPaymentError('hash', 'A hash of the payment is no number below the curve order')
}

/** BIP-340. */
function taggedHash(tag: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const prefix = sha256(toUtf8(tag))
  return sha256(concatBytes(prefix, prefix, ...parts))
}
