import type { Utxo } from './utxo.ts'

/** How many steps the search takes at most, as in Bitcoin Core. */
const MOST_STEPS = 100_000

/** What a number of inputs must hold in all: at least `least`, and at most `most` to leave no change. */
export type Requirement = { least: bigint; most: bigint }

/**
 * Coins whose sum needs no change output, with the least left over; null when the search finds none. `coins` is sorted
 * largest first; `requirements[n]` is for n inputs and rises with n.
 */
export function findExactMatch(
  coins: readonly Utxo[],
  requirements: readonly Requirement[],
): Utxo[] | null {
  const remaining = sumsFromEach(coins)
  const picked: number[] = []
  let total = 0n
  let best: { inputs: Utxo[]; excess: bigint } | null = null
  let next = 0
  for (let step = 0; step < MOST_STEPS; step++) {
    const requirement = requirements[picked.length]
    const excess = requirement ? total - requirement.least : 0n
    const fits = requirement !== undefined && picked.length > 0 && excess >= 0n
    if (fits && total <= requirement.most && (!best || excess < best.excess)) {
      best = { inputs: picked.flatMap(i => coins[i] ?? []), excess }
      if (excess === 0n) break
    }
    const coin = coins[next]
    // Past the target more coins only add to the excess; too little left, the target is out of reach.
    if (coin && !fits && excess + (remaining[next] ?? 0n) >= 0n) {
      picked.push(next)
      total += coin.amount
      next++
      continue
    }
    const last = picked.pop()
    if (last === undefined) break
    total -= coins[last]?.amount ?? 0n
    next = skipEqualCoins(coins, last)
  }
  return best?.inputs ?? null
}

/** The first coin after `from` with another amount: leaving out one coin and taking its twin would repeat the search. */
function skipEqualCoins(coins: readonly Utxo[], from: number): number {
  let next = from + 1
  while (coins[next]?.amount === coins[from]?.amount && next < coins.length) next++
  return next
}

/** For each place, the sum of the coins from there on. */
function sumsFromEach(coins: readonly Utxo[]): bigint[] {
  const sums = Array<bigint>(coins.length + 1).fill(0n)
  for (let i = coins.length - 1; i >= 0; i--)
    sums[i] = (sums[i + 1] ?? 0n) + (coins[i]?.amount ?? 0n)
  return sums
}
