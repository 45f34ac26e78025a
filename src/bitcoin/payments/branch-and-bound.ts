import type { Utxo } from '../utxo.ts'

/** How many steps the search takes at most, as in Bitcoin Core. */
const MOST_STEPS = 100_000

/**
 * What a number of inputs must hold in all: at least `least`, and at most `most` to leave no change; and what spending that
 * many wastes beside the sats left over.
 */
export type Requirement = { least: bigint; most: bigint; waste: number }

/**
 * Coins whose sum needs no change output, with the least waste; null when the search finds none. `coins` is sorted largest
 * first; `requirements[n]` is for n inputs, and rises with n (its waste rises or falls).
 */
export function findExactMatch(
  coins: readonly Utxo[],
  requirements: readonly Requirement[],
): Utxo[] | null {
  // Doubles are exact up to four times all the sats that can ever be, and several times as fast as bigints.
  const amounts = coins.map(({ amount }) => Number(amount))
  const bounds = requirements.map(({ least, most, waste }) => ({
    least: Number(least),
    most: Number(most),
    waste,
  }))
  const remaining = sumsFromEach(amounts)
  const isDear = (bounds[1]?.waste ?? 0) > (bounds[0]?.waste ?? 0)
  const picked: number[] = []
  let total = 0
  let best: { picked: number[]; waste: number } | null = null
  let next = 0
  for (let step = 0; step < MOST_STEPS; step++) {
    const bound = bounds[picked.length]
    const excess = bound ? total - bound.least : 0
    const fits = bound !== undefined && picked.length > 0 && excess >= 0 && total <= bound.most
    if (fits && (!best || bound.waste + excess < best.waste))
      best = { picked: [...picked], waste: bound.waste + excess }
    // Past the target more coins only add to the excess; too little left, the target is out of reach; and where each input
    // adds waste, no more of them help than the best match has.
    const isHopeless =
      bound === undefined ||
      total > bound.most ||
      excess + (remaining[next] ?? 0) < 0 ||
      (isDear && best !== null && bound.waste >= best.waste)
    const amount = amounts[next]
    if (amount !== undefined && !isHopeless) {
      picked.push(next)
      total += amount
      next++
      continue
    }
    const last = picked.pop()
    if (last === undefined) break
    total -= amounts[last] ?? 0
    next = skipEqual(amounts, last)
  }
  return best?.picked.flatMap(i => coins[i] ?? []) ?? null
}

/** The first amount after `from` that is another one: leaving out one coin and taking its twin would repeat the search. */
function skipEqual(amounts: readonly number[], from: number): number {
  let next = from + 1
  while (next < amounts.length && amounts[next] === amounts[from]) next++
  return next
}

/** For each place, the sum of the amounts from there on. */
function sumsFromEach(amounts: readonly number[]): number[] {
  const sums = Array<number>(amounts.length + 1).fill(0)
  for (let i = amounts.length - 1; i >= 0; i--) sums[i] = (sums[i + 1] ?? 0) + (amounts[i] ?? 0)
  return sums
}
