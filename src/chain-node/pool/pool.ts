import type { Hex } from '../codec/hex.ts'
import type { Transaction } from '../engine/transaction.ts'

/** Transactions of each sender, in the order of their nonces. */
export type PooledTransactions = ReadonlyMap<Hex, readonly Transaction[]>

/**
 * Transactions that wait for a block. Pending ones can be in the next: their nonces follow each other from the account's on,
 * and the account can pay for them. All others are queued.
 */
export interface Pool {
  /** Takes a transaction, or throws `PoolError` with geth's text. A local one survives a restart and is never pushed out. */
  add(transaction: Transaction, origin: 'local' | 'remote'): Promise<void>
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
}

/** A transaction that the pool does not take; the text is geth's. */
export class PoolError extends Error {
  override readonly name = 'PoolError'
}
