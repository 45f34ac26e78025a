import type { Transaction } from '../engine/transaction.ts'
import { createHeap } from './heap.ts'
import { computeEffectiveTip, type PooledTransaction } from './pooled-transaction.ts'

interface Lane {
  readonly waiting: readonly PooledTransaction[]
  readonly position: number
  readonly first: PooledTransaction
  readonly tip: bigint
}

/**
 * The pending transactions of all senders as a block takes them: of what each sender has next the best paid, and of equals
 * the first that came. A sender's line ends where the base fee is not covered.
 *
 * @param lines - each sender's in the order of nonces; must not change while this is read
 */
export function* orderCandidates(
  lines: Iterable<readonly PooledTransaction[]>,
  baseFee: bigint,
): Generator<Transaction> {
  const lanes: Lane[] = []
  for (const waiting of lines) {
    const lane = openLane(waiting, 0, baseFee)
    if (lane) lanes.push(lane)
  }
  const heap = createHeap(lanes, isBefore)
  for (let lane = heap.pop(); lane; lane = heap.pop()) {
    yield lane.first.transaction
    const next = openLane(lane.waiting, lane.position + 1, baseFee)
    if (next) heap.push(next)
  }
}

function openLane(
  waiting: readonly PooledTransaction[],
  position: number,
  baseFee: bigint,
): Lane | null {
  const first = waiting[position]
  if (!first) return null
  const tip = computeEffectiveTip(first, baseFee)
  return tip < 0n ? null : { waiting, position, first, tip }
}

function isBefore(a: Lane, b: Lane): boolean {
  return a.tip === b.tip ? a.first.arrival < b.first.arrival : a.tip > b.tip
}
