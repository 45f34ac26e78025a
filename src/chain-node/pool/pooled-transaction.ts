import type { Transaction } from '../engine/transaction.ts'

/** Local ones come from an account of this node's key store. */
export type Origin = 'local' | 'remote'

/** A transaction of the pool, with what is worked out about it once. */
export interface PooledTransaction {
  readonly transaction: Transaction
  readonly origin: Origin
  /** Counts up with each transaction that is taken. */
  readonly arrival: number
  /** Most that it can take from its sender, in wei. */
  readonly cost: bigint
  /** Most that it gives the producer for a unit of gas. */
  readonly tip: bigint
  /** Room that it takes: one for every 32 KiB. */
  readonly slots: number
  state: 'pending' | 'queued' | 'removed'
  /** Whether it has been pending before. */
  announced: boolean
}

const SLOT_BYTES = 32 * 1024
/** EIP-4844. */
const GAS_PER_BLOB = 131_072n
/** Per cent that a replacement must offer more, of each of its prices. */
const PRICE_BUMP = 10n

export function poolTransaction(
  transaction: Transaction,
  origin: Origin,
  arrival: number,
): PooledTransaction {
  return {
    transaction,
    origin,
    arrival,
    cost: computeCost(transaction),
    tip: transaction.maxPriorityFeePerGas ?? transaction.gasPrice,
    slots: Math.ceil(transaction.raw.length / SLOT_BYTES),
    state: 'queued',
    announced: false,
  }
}

function computeCost(transaction: Transaction): bigint {
  const blobGas = GAS_PER_BLOB * BigInt(transaction.blobVersionedHashes?.length ?? 0)
  return (
    transaction.value +
    transaction.gas * transaction.gasPrice +
    blobGas * (transaction.maxFeePerBlobGas ?? 0n)
  )
}

/** What the producer gets for a unit of gas where `baseFee` is burnt; negative where no block with that base fee takes it. */
export function computeEffectiveTip(pooled: PooledTransaction, baseFee: bigint): bigint {
  const left = pooled.transaction.gasPrice - baseFee
  return left < pooled.tip ? left : pooled.tip
}

/** Whether one may stand for another of the same sender and nonce: both of its prices are higher by the price bump. */
export function isReplacement(old: PooledTransaction, next: PooledTransaction): boolean {
  return (
    isBumped(old.transaction.gasPrice, next.transaction.gasPrice) && isBumped(old.tip, next.tip)
  )
}

function isBumped(old: bigint, next: bigint): boolean {
  return next > old && next >= (old * (100n + PRICE_BUMP)) / 100n
}
