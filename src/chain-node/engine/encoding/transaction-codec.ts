import type { Common } from '@ethereumjs/common'
import { decodeHex, encodeHex, type Hex } from '../../codec/hex.ts'
import type { Header } from '../block.ts'
import { addressOf, keccak256, secp256k1 } from '../crypto.ts'
import { TransactionError } from '../engine.ts'
import { computeFloorGas, computeIntrinsicGas } from '../intrinsic-gas.ts'
import type { Rules } from '../rules.ts'
import type { AccessListEntry, Transaction, UnsignedTransaction } from '../transaction.ts'
import { assertAllowed } from '../transaction-limits.ts'
import { type BlobSidecar, checkSidecar, splitSidecar } from './blob-sidecar.ts'
import type { KeyRecovery, Signed } from './key-recovery.ts'
import {
  decodeRlp,
  encodeRlp,
  isRlpList,
  RlpError,
  type RlpItem,
  type RlpList,
  type RlpValue,
} from './rlp.ts'
import {
  countSignedFields,
  readTransactionFields,
  type TransactionFields,
} from './transaction-fields.ts'

/** The forks that brought the types, by type. */
const FORK_OF_TYPE = [null, 'berlin', 'london', 'cancun', 'prague'] as const

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** EIP-2: the lower of the two values of `s` that a signature can have is at most this. */
const LOWER_S = CURVE_ORDER / 2n
const MAX_UINT64 = 2n ** 64n - 1n
const MAX_UINT256 = 2n ** 256n - 1n

/**
 * Reads a transaction in RLP or EIP-2718's envelope; blobs are checked and left out. Throws `TransactionError` with geth's text, also
 * where `s` is the higher of its two values (EIP-2), which blocks before Homestead alone can have.
 *
 * @param from - the sender where it is known, so that it is not recovered again
 */
export function decodeTransaction(rules: Rules, raw: Uint8Array, from?: Hex): Transaction {
  return nameErrors(() => {
    if ((raw[0] ?? 0) >= 0x80) return build(rules, 0, decodeRlp(raw), raw, from)
    const { type, item } = openEnvelope(rules, raw)
    const { payload, sidecar } = type === 3 ? splitSidecar(item) : { payload: item, sidecar: null }
    return sidecar === null
      ? build(rules, type, payload, raw, from)
      : decodeWithSidecar(rules, payload as RlpList, sidecar, from)
  })
}

/** As `decodeTransaction`, while the sender's key is found in another thread. */
export async function decodeTransactionAside(
  rules: Rules,
  raw: Uint8Array,
  { recover }: Pick<KeyRecovery, 'recover'>,
): Promise<Transaction> {
  if (raw[0] === 3) return decodeTransaction(rules, raw)
  const opened = nameErrors(() => {
    if ((raw[0] ?? 0) >= 0x80) return openPayload(rules, 0, decodeRlp(raw))
    const { type, item } = openEnvelope(rules, raw)
    return openPayload(rules, type, item)
  })
  return close(opened, raw, nameSender(await recover(findSigned(opened, LOWER_S))))
}

/**
 * Reads a transaction of a block: a list for a legacy one, the bytes of an envelope for the others. Throws `TransactionError`.
 *
 * @param common - the block's rules
 * @param from - the sender where it is known
 */
export function decodeBodyTransaction(
  rules: Rules,
  common: Pick<Common, 'gteHardfork'>,
  item: RlpItem,
  from?: Hex,
): Transaction {
  // EIP-2.
  const mostS = common.gteHardfork('homestead') ? LOWER_S : CURVE_ORDER - 1n
  return nameErrors(() => {
    if (isRlpList(item)) return build(rules, 0, item, item.raw, from, mostS)
    const envelope = openEnvelope(rules, item)
    return build(rules, envelope.type, envelope.item, item, from, mostS)
  })
}

function nameErrors<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    throw error instanceof RlpError ? new TransactionError(error.message) : error
  }
}

/**
 * Signs a transaction for the chain: a legacy one with EIP-155, EIP-1559's where it has a priority fee, EIP-2930's where it has
 * an access list. Throws `TransactionError` where the chain does not know the type or a value is too large.
 */
export function signTransaction(
  rules: Rules,
  unsigned: UnsignedTransaction,
  privateKey: Uint8Array,
): Transaction {
  const { type, fields } = listUnsignedFields(rules, unsigned)
  const hash = hashForSigning(type, fields, type === 0 ? rules.chainId : null)
  const { signature, recovery } = secp256k1.sign(hash, privateKey)
  const r = BigInt(encodeHex(signature.subarray(0, 32)))
  const s = BigInt(encodeHex(signature.subarray(32)))
  return decodeTransaction(rules, seal(rules, type, fields, recovery, r, s))
}

/**
 * A transaction that nobody signed: `r` is the sender with a bit before it, and `s` is 1. A key that signs like that cannot be
 * found, as its address would have to be in its own signature.
 */
export function impersonate(rules: Rules, unsigned: UnsignedTransaction, from: Hex): Transaction {
  const { type, fields } = listUnsignedFields(rules, unsigned)
  return decodeTransaction(rules, seal(rules, type, fields, 0, markSender(from), 1n), from)
}

/** Whether there is a mark in place of its signature. */
export function isImpersonated({ from, r, s }: Transaction): boolean {
  return s === 1n && r === markSender(from)
}

function markSender(from: Hex): bigint {
  return 2n ** 160n + BigInt(from)
}

function listUnsignedFields(rules: Rules, unsigned: UnsignedTransaction) {
  const { maxPriorityFeePerGas, accessList } = unsigned
  const type = maxPriorityFeePerGas !== undefined ? 2 : accessList !== undefined ? 1 : 0
  const fields: RlpValue[] = [
    ...(type === 0 ? [] : [rules.chainId]),
    unsigned.nonce,
    ...(maxPriorityFeePerGas === undefined ? [] : [maxPriorityFeePerGas]),
    unsigned.gasPrice,
    unsigned.gas,
    unsigned.to === null ? new Uint8Array() : decodeHex(unsigned.to),
    unsigned.value,
    unsigned.input,
    ...(type === 0 ? [] : [listAccess(accessList ?? [])]),
  ]
  return { type, fields }
}

/** @param parity - of the signature's point */
function seal(
  rules: Rules,
  type: number,
  fields: readonly RlpValue[],
  parity: number,
  r: bigint,
  s: bigint,
): Uint8Array {
  const v = type === 0 ? rules.chainId * 2n + 35n + BigInt(parity) : BigInt(parity)
  return wrap(type, encodeRlp([...fields, v, r, s]))
}

/**
 * Gas that a transaction costs before anything runs, with EIP-7623's floor where it holds, in the block after `parent`. Throws
 * `TransactionError` where that block takes none like it.
 */
export function intrinsicGas(rules: Rules, parent: Header, transaction: Transaction): bigint {
  const common = rules.commonAt(parent.number + 1n, parent.timestamp + 1n)
  assertAllowed(common, transaction)
  const intrinsic = computeIntrinsicGas(common, transaction)
  const floor = computeFloorGas(common, transaction.input)
  return intrinsic > floor ? intrinsic : floor
}

/** Opens EIP-2718's envelope of a type that the chain has or will have. */
function openEnvelope(rules: Rules, raw: Uint8Array): { type: number; item: RlpItem } {
  if (raw.length <= 1) throw new TransactionError('typed transaction too short')
  const type = raw[0] as number
  const fork = FORK_OF_TYPE[type] ?? null
  if (fork === null || !rules.genesis.forks.some(({ name }) => name === fork)) {
    throw new TransactionError('transaction type not supported')
  }
  return { type, item: decodeRlp(raw.subarray(1)) }
}

function decodeWithSidecar(
  rules: Rules,
  payload: RlpList,
  sidecar: BlobSidecar,
  from: Hex | undefined,
): Transaction {
  // The signature comes first: it is the cheaper check.
  const transaction = build(rules, 3, payload, wrap(3, payload.raw), from)
  const { kzg } = rules.crypto
  if (kzg === undefined) throw new Error('the trusted setup of EIP-4844 was not loaded')
  const most = Math.max(...Object.values(rules.genesis.blobSchedule).map(limits => limits.max))
  checkSidecar(kzg, sidecar, transaction.blobVersionedHashes ?? [], most)
  return transaction
}

function build(
  rules: Rules,
  type: number,
  item: RlpItem,
  raw: Uint8Array,
  from: Hex | undefined,
  mostS = LOWER_S,
): Transaction {
  const opened = openPayload(rules, type, item)
  return close(opened, raw, from ?? recoverSender(findSigned(opened, mostS)))
}

/** A transaction whose sender is not known yet. */
interface OpenedTransaction {
  readonly fields: TransactionFields
  readonly chainId: bigint | null
  readonly items: readonly RlpItem[]
}

function openPayload(rules: Rules, type: number, item: RlpItem): OpenedTransaction {
  const fields = readTransactionFields(type, item)
  const chainId = type === 0 ? findChainId(fields.v) : fields.chainId
  if (chainId !== null && chainId !== rules.chainId) throw new TransactionError('invalid sender')
  assertValues(fields)
  return { fields, chainId, items: (item as RlpList).items }
}

function close({ fields, chainId }: OpenedTransaction, raw: Uint8Array, from: Hex): Transaction {
  return { ...fields, chainId, from, hash: encodeHex(keccak256(raw)), raw }
}

/** EIP-155; null where `v` holds no chain id, -1 where it is none at all. */
function findChainId(v: bigint): bigint | null {
  if (v === 27n || v === 28n) return null
  return v < 35n ? -1n : (v - 35n) / 2n
}

/** What no fork allows. */
function assertValues(fields: TransactionFields): void {
  // EIP-2681.
  if (fields.nonce === MAX_UINT64) throw new TransactionError('nonce has max value')
  if (fields.gas * fields.gasPrice > MAX_UINT256) {
    throw new TransactionError('insufficient funds for gas * price + value')
  }
  if ((fields.maxPriorityFeePerGas ?? 0n) > fields.gasPrice) {
    throw new TransactionError('max priority fee per gas higher than max fee per gas')
  }
  if (fields.blobVersionedHashes?.length === 0) {
    throw new TransactionError('blobless blob transaction')
  }
  fields.blobVersionedHashes?.forEach((hash, index) => {
    if (!hash.startsWith('0x01')) {
      throw new TransactionError(`blob ${index} has invalid hash version`)
    }
  })
  if (fields.authorizationList?.length === 0) {
    throw new TransactionError('EIP-7702 transaction with empty auth list')
  }
}

/** The signature, unless it is one that nobody can have made. */
function findSigned({ fields, chainId, items }: OpenedTransaction, mostS: bigint): Signed {
  const { type, v, r, s } = fields
  const recovery = type > 0 ? v : v - (chainId === null ? 27n : chainId * 2n + 35n)
  const isPossible = recovery === 0n || recovery === 1n
  if (!isPossible || r === 0n || r >= CURVE_ORDER || s === 0n || s > mostS) {
    throw new TransactionError('invalid sender')
  }
  const signed = items.slice(0, countSignedFields(type))
  const hash = hashForSigning(type, signed, type === 0 ? chainId : null)
  const signature = new Uint8Array(64)
  signature.set(toWord(r))
  signature.set(toWord(s), 32)
  return { hash, signature, recovery: Number(recovery) }
}

function recoverSender({ hash, signature, recovery }: Signed): Hex {
  let key: Uint8Array | null = null
  try {
    key = secp256k1.recover(hash, signature, recovery)
  } catch {}
  return nameSender(key)
}

function nameSender(key: Uint8Array | null): Hex {
  if (key === null) throw new TransactionError('invalid sender')
  return encodeHex(addressOf(key))
}

/** @param replayChainId - of EIP-155 */
function hashForSigning(
  type: number,
  fields: readonly RlpValue[],
  replayChainId: bigint | null,
): Uint8Array {
  const values = replayChainId === null ? fields : [...fields, replayChainId, 0n, 0n]
  return keccak256(wrap(type, encodeRlp(values)))
}

/** The bytes of a transaction: fields and signature in RLP, in EIP-2718's envelope unless it is a legacy one. */
export function encodeEnvelope(type: number, fields: readonly RlpValue[]): Uint8Array {
  return wrap(type, encodeRlp(fields))
}

/** EIP-2718. */
function wrap(type: number, payload: Uint8Array): Uint8Array {
  if (type === 0) return payload
  const envelope = new Uint8Array(1 + payload.length)
  envelope[0] = type
  envelope.set(payload, 1)
  return envelope
}

export function listAccess(accessList: readonly AccessListEntry[]): RlpValue {
  return accessList.map(({ address, storageKeys }) => [
    decodeHex(address),
    storageKeys.map(key => decodeHex(key)),
  ])
}

function toWord(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}
