import { createHeap, type Heap } from './heap.ts'
import { PoolError } from './pool.ts'
import { hasGapBefore, lastQueued, type PoolAccount } from './pool-account.ts'
import type { PoolContents } from './pool-contents.ts'
import { computeEffectiveTip, type PooledTransaction } from './pooled-transaction.ts'

/** How much the pool takes. Local transactions, and accounts that have any, are not counted out. */
export interface PoolLimits {
  /** Pending ones that every account keeps when there are too many. */
  readonly accountPending: number
  readonly accountQueued: number
  /** All pending ones; those of 32 KiB and more count in the sum with the queued for each 32 KiB. */
  readonly pending: number
  readonly queued: number
  /** Milliseconds for which an account's queue is kept while nothing of it becomes pending. */
  readonly queueLifetime: number
}

/** Those of geth. */
export const DEFAULT_LIMITS: PoolLimits = {
  accountPending: 16,
  accountQueued: 64,
  pending: 5120,
  queued: 1024,
  queueLifetime: 3 * 60 * 60 * 1000,
}

/** Keeps a pool within its limits. */
export function createEviction(contents: PoolContents, limits: PoolLimits) {
  /** Remote transactions, the cheapest first; made when the pool is full for the first time. Those that left are still in it. */
  let cheapest: { heap: Heap<PooledTransaction>; baseFee: bigint } | null = null

  /** Pushes out remote transactions that pay less than `next`, so that there is room for it. */
  function makeRoom(
    account: PoolAccount,
    next: PooledTransaction,
    baseFee: bigint,
    now: number,
  ): void {
    const capacity = limits.pending + limits.queued
    const room = next.slots
    if (contents.counts.slots + room <= capacity) return
    const isLocal = next.origin === 'local'
    const heap = openHeap(baseFee)
    const victims: PooledTransaction[] = []
    let freed = 0
    while (contents.counts.slots + room - freed > capacity) {
      const victim = popPresent(heap)
      if (!victim) break
      victims.push(victim)
      freed += victim.slots
    }
    const fault = isLocal ? null : findFault(victims)
    if (fault !== null) {
      for (const victim of victims) heap.push(victim)
      throw new PoolError(fault)
    }
    for (const victim of victims) contents.remove(victim, now)

    function findFault(victims: readonly PooledTransaction[]): string | null {
      const first = victims[0]
      if (first && !isCheaper(first, next, baseFee)) return 'transaction underpriced'
      if (contents.counts.slots + room - freed > capacity) return 'txpool is full'
      const costsPending = victims.some(victim => victim.state === 'pending')
      return costsPending && hasGapBefore(account, next.transaction.nonce)
        ? 'future transaction tries to replace pending'
        : null
    }
  }

  function openHeap(baseFee: bigint): Heap<PooledTransaction> {
    if (cheapest?.baseFee === baseFee && cheapest.heap.size() <= 2 * contents.byHash.size + 16) {
      return cheapest.heap
    }
    const remote = [...contents.byHash.values()].filter(pooled => pooled.origin === 'remote')
    const heap = createHeap(remote, (a, b) => isEvictedBefore(a, b, baseFee))
    cheapest = { heap, baseFee }
    return heap
  }

  /** Takes note of one that came. */
  function note(pooled: PooledTransaction): void {
    if (pooled.origin === 'remote') cheapest?.heap.push(pooled)
  }

  /** Holds one account to what it may have in the queue: the highest nonces leave. */
  function trimQueue(account: PoolAccount, now: number): void {
    if (account.locals > 0) return
    const excess = account.queued.size - limits.accountQueued
    if (excess <= 0) return
    const nonces = [...account.queued.keys()].sort((a, b) => (a < b ? -1 : 1))
    for (const nonce of nonces.slice(-excess)) {
      const pooled = account.queued.get(nonce)
      if (pooled) contents.remove(pooled, now)
    }
  }

  /** Holds all accounts to the limits of the whole: of the pending ones the largest accounts give, of the queued the idlest. */
  function trim(now: number): void {
    while (contents.counts.pending > limits.pending) {
      const largest = contents.crowd.largest()
      if (!largest || largest.count <= limits.accountPending) break
      const last = largest.member.pending.at(-1)
      if (!last) break
      contents.remove(last, now)
    }
    while (contents.counts.queued > limits.queued) {
      const idle = findIdle()
      const last = idle && lastQueued(idle)
      if (!last) break
      contents.remove(last, now)
    }
  }

  function findIdle(): PoolAccount | null {
    for (const account of contents.idleSince.keys()) if (account.locals === 0) return account
    return null
  }

  /** Lets go of queues that have waited for too long. */
  function expire(now: number): void {
    for (const [account, since] of contents.idleSince) {
      if (now - since < limits.queueLifetime) break
      if (account.locals > 0) continue
      for (const pooled of [...account.queued.values()]) contents.remove(pooled, now)
    }
  }

  return { makeRoom, note, trimQueue, trim, expire }
}

function popPresent(heap: Heap<PooledTransaction>): PooledTransaction | undefined {
  for (;;) {
    const pooled = heap.pop()
    if (pooled?.state !== 'removed') return pooled
  }
}

function isCheaper(a: PooledTransaction, b: PooledTransaction, baseFee: bigint): boolean {
  return comparePrices(a, b, baseFee) < 0
}

function isEvictedBefore(a: PooledTransaction, b: PooledTransaction, baseFee: bigint): boolean {
  const order = comparePrices(a, b, baseFee)
  if (order !== 0) return order < 0
  const [nonce, other] = [a.transaction.nonce, b.transaction.nonce]
  return nonce === other ? a.arrival > b.arrival : nonce > other
}

function comparePrices(a: PooledTransaction, b: PooledTransaction, baseFee: bigint): number {
  return (
    compare(computeEffectiveTip(a, baseFee), computeEffectiveTip(b, baseFee)) ||
    compare(a.transaction.gasPrice, b.transaction.gasPrice)
  )
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
