import type { Reach } from './binding.ts'

/** ANYONECANPAY signatures that were given at an earlier time and are still good for anything. */
export type EarlierSignatures = {
  /** ALL|ANYONECANPAY. */
  all: boolean
  /** The places of their coins here; null for one that is not among the inputs. */
  coins: readonly (number | null)[]
  /** The own outputs here that they ask for too. */
  outputs: ReadonlySet<number>
}

/**
 * The least (sats, negative when they pay) that all own accounts together can end up with when at least one of these
 * signatures is used, in this transaction or in any others that they are valid in; 0 without signatures. `inputs` and
 * `outputs` are what own accounts spend and get at each place, 0 for everyone else's.
 *
 * BIP-143 and BIP-341 leave three ways to use them:
 * 1. A signature without ANYONECANPAY names every input, so they all are spent: what it binds of the outputs, with the
 *    signatures that go along with it, is paid.
 * 2. ALL|ANYONECANPAY fixes every output and nothing but its own coin. The most is lost when every other coin that is
 *    signed with ANYONECANPAY is put beside it, at the place where it was, because no further output has to be paid for it.
 * 3. SINGLE|ANYONECANPAY is a coin against one output and NONE|ANYONECANPAY a coin against nothing, each for itself: no two
 *    inputs have the same place, so no output serves two of them. Only those are used that lose.
 *
 * What an `earlier` signature asks for counted when it was given. Where one of the two is ALL|ANYONECANPAY, so that one
 * output can serve both, it does not count again: added up, the worst cases of all approvals are still the least. A coin
 * that is spent here anyway asks for nothing more, but can be put beside the others.
 */
export function findWorstCase(params: {
  inputs: readonly bigint[]
  outputs: readonly bigint[]
  reaches: readonly Reach[]
  earlier?: readonly EarlierSignatures[]
}): bigint {
  const { inputs, outputs, reaches, earlier = [] } = params
  const free = reaches.filter(reach => !reach.inputs)
  const paidOf = createPaidOf(outputs)
  const spent = sumOf(inputs)
  const outcomes = [
    ...reaches.filter(reach => reach.inputs).map(reach => paidOf(reach) - spent),
    ...weighMerged(free, inputs, outputs, earlier),
    ...weighApart(free, inputs, paidOf, earlier),
  ]
  const [first = 0n, ...others] = outcomes
  return others.reduce(least, first)
}

/** What the outputs that a signature binds pay; all of them are added up once. */
function createPaidOf(amounts: readonly bigint[]): PaidOf {
  const all = sumOf(amounts)
  return ({ outputs }) =>
    outputs === 'all' ? all : sumOf([...outputs].map(output => amounts[output] ?? 0n))
}

type PaidOf = (reach: Reach) => bigint

function weighMerged(
  free: readonly Reach[],
  inputs: readonly bigint[],
  outputs: readonly bigint[],
  earlier: readonly EarlierSignatures[],
): bigint[] {
  if (!free.some(reach => reach.outputs === 'all')) return []
  const coins = new Set(free.map(({ index }) => index))
  const paidFor = new Set<number>()
  for (const before of earlier) {
    for (const coin of before.coins) if (coin !== null) coins.add(coin)
    if (before.coins.includes(null)) for (const output of before.outputs) paidFor.add(output)
  }
  const paid = outputs.filter((_, output) => !paidFor.has(output))
  return [sumOf(paid) - sumOf([...coins].map(coin => inputs[coin] ?? 0n))]
}

function weighApart(
  free: readonly Reach[],
  inputs: readonly bigint[],
  paidOf: PaidOf,
  earlier: readonly EarlierSignatures[],
): bigint[] {
  const isPaidFor = (index: number) =>
    earlier.some(
      ({ all, coins, outputs }) => all && outputs.has(index) && coins.some(coin => coin !== index),
    )
  const trades = new Map<number, bigint>()
  for (const reach of free) {
    if (reach.outputs === 'all') continue
    const { index } = reach
    const paid = isPaidFor(index) ? 0n : paidOf(reach)
    const change = paid - (inputs[index] ?? 0n)
    trades.set(index, least(trades.get(index) ?? change, change))
  }
  const changes = [...trades.values()]
  const losses = changes.filter(change => change < 0n)
  return losses.length > 0 ? [sumOf(losses)] : changes
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
