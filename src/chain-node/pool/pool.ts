import type { Hex } from '../codec/hex.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Origin } from './pooled-transaction.ts'

/** Transactions of each sender, in the order of their nonces. */
export type PooledTransactions = ReadonlyMap<Hex, readonly Transaction[]>

/**
 * Transactions that wait for a block. Pending ones can be in the next: their nonces follow each other from the account's on,
 * and the account can pay for them. All others are queued.
 */
export interface Pool {
  /**
   * Takes a transaction before it returns, or throws `PoolError` with geth's text; `TransactionError` where the engine's rules
   * forbid it. Fulfilled when it is on the disk, so that it survives a restart; rejected with a `PoolError` where it cannot be
   * written: it stays in the pool then, as what it replaced has gone. A local one is never pushed out.
   *
   * @param settle - waits, without throwing, for a block that may have the transaction; what is in one needs no write of its own
   */
  add(transaction: Transaction, origin: Origin, settle?: () => Promise<void>): Promise<void>
  find(hash: Hex): Transaction | null
  /** The nonce of the account's next transaction, after those that are pending. */
  nextNonce(address: Hex): bigint
  /** Pending ones as a block takes them: the best price first, each sender's in order. */
  candidates(): Iterable<Transaction>
  /** Forgets one that the engine refused. */
  drop(hash: Hex): void
  pending(): PooledTransactions
  queued(): PooledTransactions
  countPending(): number
  countQueued(): number
  /** Called for each transaction when it becomes pending, once; must not throw. Gives the way to stop it. */
  onPending(listener: (transaction: Transaction) => void): () => void
  /** Takes no notice of blocks any more. Fulfilled when everything that was taken is on the disk. */
  close(): Promise<void>
}

/** A transaction that the pool does not take; the text is geth's. */
export class PoolError extends Error {
  override readonly name = 'PoolError'
}
