import type { Hex } from '../codec/hex.ts'
import type { PooledTransaction } from './pooled-transaction.ts'

/** A sender of the pool. Its nonce and balance are those of `stateRoot`. */
export interface PoolAccount {
  readonly address: Hex
  stateRoot: Hex
  nonce: bigint
  balance: bigint
  /** EIP-7702 lets others spend from an account with code. */
  hasCode: boolean
  /** Nonces follow each other from the account's on. */
  readonly pending: PooledTransaction[]
  /** All of their costs: never more than the balance. */
  pendingCost: bigint
  readonly queued: Map<bigint, PooledTransaction>
  /** How many of them all are local; with any, the limits by account do not hold. */
  locals: number
}

/** The nonce after those that are pending. */
export function nextNonceOf(account: PoolAccount): bigint {
  return account.nonce + BigInt(account.pending.length)
}

export function findAt(account: PoolAccount, nonce: bigint): PooledTransaction | undefined {
  return pendingAt(account, nonce) ?? account.queued.get(nonce)
}

export function pendingAt(account: PoolAccount, nonce: bigint): PooledTransaction | undefined {
  const index = nonce - account.nonce
  return index < 0n || index >= account.pending.length ? undefined : account.pending[Number(index)]
}

/** Whether a transaction with this nonce would wait for another one that is not there. */
export function hasGapBefore(account: PoolAccount, nonce: bigint): boolean {
  for (let between = nextNonceOf(account); between < nonce; between++) {
    if (!account.queued.has(between)) return true
  }
  return false
}

/** Whether what has its turn waits for money alone. */
export function isShort(account: PoolAccount): boolean {
  return account.queued.has(nextNonceOf(account))
}

/** The queued one with the highest nonce. */
export function lastQueued(account: PoolAccount): PooledTransaction | undefined {
  let last: PooledTransaction | undefined
  for (const pooled of account.queued.values()) {
    if (!last || pooled.transaction.nonce > last.transaction.nonce) last = pooled
  }
  return last
}

export function sortQueued(account: PoolAccount): PooledTransaction[] {
  return [...account.queued.values()].sort((a, b) =>
    a.transaction.nonce < b.transaction.nonce ? -1 : 1,
  )
}
