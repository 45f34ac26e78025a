import { dustLimit } from '../dust.ts'
import { feeForVsize } from '../fee-rate.ts'
import type { SpendType } from '../multisig-type.ts'
import { formatOutpoint } from '../outpoint.ts'
import { shuffle } from '../seeded-shuffle.ts'
import type { TransactionOutput } from '../transaction.ts'
import {
  addInput,
  createInputSizes,
  type InputSize,
  type InputTotals,
  MAX_STANDARD_WEIGHT,
  NO_INPUTS,
  sizeOfSpend,
  weighTransaction,
  weightOf,
  weightOfInput,
} from '../transaction-size.ts'
import type { Utxo } from '../utxo.ts'
import { findExactMatch } from './branch-and-bound.ts'

/** Coins to spend, what comes back (0n = no change output), and the fee and size of the signed transaction. */
export type CoinSelection = { inputs: Utxo[]; change: bigint; fee: bigint; vsize: number }

export type CoinSelectionParams = {
  /** Coins that may be spent. */
  utxos: readonly Utxo[]
  /** Coins that are all spent, before all others and in this order. */
  leading?: readonly Utxo[]
  /** Coins that are all spent, and with the leading ones alone when those suffice. */
  required?: readonly Utxo[]
  /** Of the account, as what change and coins that are missing will be. */
  inputType: SpendType
  /** All but the change; none when everything comes back. */
  outputs: readonly TransactionOutput[]
  changeScript: Uint8Array
  /** sat/vB with at most three decimals. */
  feeRate: number
  /** Sats that a transaction of this many vB must pay; what `feeRate` asks unless given. */
  leastFee?: (vsize: number) => bigint
  /** Any text; the same text and coins give the same selection. */
  seed: string
}

/** No choice of the coins pays the outputs and the fee (in one transaction that nodes relay). */
export class InsufficientFundsError extends Error {
  override name = 'InsufficientFundsError'
  /** Sats that a transaction of all the coins (that fit into one) takes, the fee counted; `available` is what they hold. */
  readonly needed: bigint
  readonly available: bigint
  constructor(needed: bigint, available: bigint) {
    super(`Not enough funds: ${needed} sats are needed and ${available} sats are there`)
    this.needed = needed
    this.available = available
  }
}

/** More recipients or coins that must be spent than a transaction that nodes relay can hold. */
export class TransactionTooLargeError extends Error {
  override name = 'TransactionTooLargeError'
  constructor() {
    super('The transaction is too large for nodes to relay: it needs fewer coins or recipients')
  }
}

/** Fee rate (sat/vB) at which Bitcoin Core supposes that a coin not spent today will be spent one day. */
const LONG_TERM_FEE_RATE = 10

/** Sats that a random draw leaves as change at least, so that the change is worth having. */
const RANDOM_DRAW_CHANGE = 50_000n

/**
 * Picks coins as Bitcoin Core does: branch and bound for a payment without change, a random draw, and largest first (which
 * is also the lightest where all inputs weigh the same), whichever wastes least. The fee is exact for the signed
 * transaction; without change it also takes what would be dust. Throws {@link InsufficientFundsError} only when nothing
 * fits, or with inputs of different weights when hardly anything would be to spare; and {@link TransactionTooLargeError}.
 */
export function selectCoins(params: CoinSelectionParams): CoinSelection {
  const problem = poseProblem(params, params.outputs.length === 0)
  const { required, coins, byWorth, wasteOf } = problem
  const alone = required.length > 0 ? settle([], problem) : null
  if (alone) return alone
  const economical = coins.filter(problem.isEconomical)
  const candidates = [
    matchExactly(economical, problem),
    selectSingleRandomDraw(economical, problem, params.seed),
    takeWorthiest(byWorth, problem),
  ]
  let best: CoinSelection | null = null
  for (const added of candidates) {
    const selection = added && settle(added, problem)
    if (selection && (!best || wasteOf(selection) < wasteOf(best))) best = selection
  }
  if (!best) throw explainShortage(byWorth, problem)
  return best
}

/**
 * Spends every coin that is worth its own fee, and the required ones; what the outputs leave is the change, which there
 * always is. When not all fit into a transaction that nodes relay, the largest do. Throws {@link InsufficientFundsError},
 * {@link TransactionTooLargeError}.
 */
export function sweepCoins(params: CoinSelectionParams): CoinSelection {
  const problem = poseProblem(params, true)
  const worthwhile = problem.byWorth.filter(problem.isEconomical)
  const selection = settle(worthwhile.slice(0, mostAdded(problem)), problem)
  if (!selection) throw explainShortage(worthwhile, problem)
  return selection
}

/** What all the ways to choose need to know, worked out once. */
type Problem = {
  required: Utxo[]
  /** The others, largest first. */
  coins: Utxo[]
  /** The same, what holds most beyond its own fee first. */
  byWorth: Utxo[]
  /** What the required coins hold, less the outputs. */
  balance: bigint
  /**
   * By number of coins beside the required ones, each as heavy as the heaviest of them, as many as nodes relay;
   * `withoutChange` is empty when there must be change.
   */
  withChange: Cost[]
  withoutChange: Cost[]
  /** The same for these coins exactly; null above the limit on weight. */
  costOf: (added: readonly Utxo[]) => { withChange: Cost | null; withoutChange: Cost | null }
  leastChange: bigint
  isEconomical: (coin: Utxo) => boolean
  /** Sats lost by spending a coin now rather than at the long-term fee rate; negative while fees are low. */
  inputWaste: number
  wasteOf: (selection: CoinSelection) => number
}

type Cost = { vsize: number; fee: bigint }

function poseProblem(params: CoinSelectionParams, needsChange: boolean): Problem {
  const { utxos, inputType, outputs, changeScript, feeRate } = params
  const leastFee = params.leastFee ?? (vsize => feeForVsize(vsize, feeRate))
  const sizeOf = createInputSizes(inputType)
  const leading = params.leading ?? []
  const led = new Set(leading.map(formatOutpoint))
  const others = sortCoins(params.required ?? []).filter(coin => !led.has(formatOutpoint(coin)))
  const required = [...leading, ...others]
  const taken = new Set(required.map(formatOutpoint))
  const isFree = (coin: Utxo) => taken.size === 0 || !taken.has(formatOutpoint(coin))
  const coins = sortCoins(utxos).filter(isFree)
  const vsizeOf = ({ scriptPubKey }: Utxo) => weightOf(sizeOf(scriptPubKey)) / 4
  const sizes = new Set<InputSize>()
  for (const { scriptPubKey } of coins) sizes.add(sizeOf(scriptPubKey))
  const feeOfSize = (size: InputSize) => feeForVsize(Math.ceil(weightOf(size) / 4), feeRate)
  const fees = new Map([...sizes].map(size => [size, feeOfSize(size)]))
  const inputFeeOf = ({ scriptPubKey }: Utxo) => fees.get(sizeOf(scriptPubKey)) ?? 0n
  const [heaviest = sizeOfSpend(inputType)] = [...sizes].sort((a, b) => weightOf(b) - weightOf(a))
  const isMixed = sizes.size > 1
  const sumSizes = (spent: readonly Utxo[], before: InputTotals) =>
    spent.reduce((sum, { scriptPubKey }) => addInput(sum, sizeOf(scriptPubKey)), before)
  const requiredSizes = sumSizes(required, NO_INPUTS)
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  const weighings = [[...scripts, changeScript], ...(needsChange ? [] : [scripts])].map(all =>
    weighTransaction(all),
  )
  const priceOf = (weight: number): Cost | null => {
    const vsize = Math.ceil(weight / 4)
    return weight > MAX_STANDARD_WEIGHT ? null : { vsize, fee: leastFee(vsize) }
  }
  const [withChange = [], withoutChange = []] = weighings.map(weigh => {
    const costs: Cost[] = []
    let sizes = requiredSizes
    for (let added = 0; added <= Math.max(coins.length, 1); added++) {
      const cost = priceOf(weigh(sizes))
      if (!cost) break
      costs.push(cost)
      sizes = addInput(sizes, heaviest)
    }
    return costs
  })
  if (withChange.length + withoutChange.length === 0) throw new TransactionTooLargeError()
  const inputWaste = (weightOf(heaviest) / 4) * (feeRate - LONG_TERM_FEE_RATE)
  const changeInputVsize = weightOfInput(inputType) / 4
  const changeVsize = 8 + 1 + changeScript.length
  const limit = dustLimit(changeScript)
  return {
    required,
    coins,
    byWorth: isMixed ? sortByWorth(coins, inputFeeOf) : coins,
    balance: amountOf(required) - amountOf(outputs),
    withChange,
    withoutChange,
    costOf(added) {
      const count = added.length
      if (!isMixed)
        return {
          withChange: withChange[count] ?? null,
          withoutChange: withoutChange[count] ?? null,
        }
      const sizes = sumSizes(added, requiredSizes)
      const [change = null, none = null] = weighings.map(weigh => priceOf(weigh(sizes)))
      return { withChange: change, withoutChange: none }
    },
    leastChange: limit > 0n ? limit : 1n,
    isEconomical: coin => coin.amount > inputFeeOf(coin),
    inputWaste,
    // Bitcoin Core's waste metric, in sats: of the inputs, and of the change output and its later input or of its lack.
    wasteOf({ inputs, change, fee, vsize }) {
      const spent = inputs.reduce((sum, coin) => sum + vsizeOf(coin), 0)
      const timing = spent * (feeRate - LONG_TERM_FEE_RATE)
      if (change === 0n) return timing + Number(fee - leastFee(vsize))
      return timing + changeVsize * feeRate + changeInputVsize * LONG_TERM_FEE_RATE
    },
  }
}

/** Change and fee of a transaction that spends these beside the required coins; null when they do not suffice. */
function settle(added: readonly Utxo[], problem: Problem): CoinSelection | null {
  const { required, balance, leastChange } = problem
  const inputs = [...required, ...added]
  const rest = balance + amountOf(added)
  const { withChange, withoutChange } = problem.costOf(added)
  if (inputs.length === 0) return null
  if (withChange && rest - withChange.fee >= leastChange)
    return { inputs, change: rest - withChange.fee, fee: withChange.fee, vsize: withChange.vsize }
  // Change that only the limit on weight forbids is not given away.
  const mostFee = (withChange ?? withoutChange)?.fee ?? 0n
  if (!withoutChange || rest < withoutChange.fee || rest - mostFee >= leastChange) return null
  return { inputs, change: 0n, fee: rest, vsize: withoutChange.vsize }
}

function matchExactly(coins: readonly Utxo[], problem: Problem): Utxo[] | null {
  const { balance, leastChange, withChange, withoutChange } = problem
  // For each number of inputs, the least that they must hold, and the most that leaves no change.
  const requirements = withoutChange.flatMap(({ fee }, added) => {
    const change = withChange[added]
    const waste = added * problem.inputWaste
    return change
      ? { least: fee - balance, most: change.fee + leastChange - 1n - balance, waste }
      : []
  })
  return findExactMatch(coins, requirements)
}

function selectSingleRandomDraw(
  coins: readonly Utxo[],
  problem: Problem,
  seed: string,
): Utxo[] | null {
  const selected: Utxo[] = []
  let rest = problem.balance
  for (const coin of shuffle(coins, seed)) {
    selected.push(coin)
    rest += coin.amount
    const cost = problem.withChange[selected.length]
    if (!cost) return null
    if (rest - cost.fee >= RANDOM_DRAW_CHANGE) return selected
  }
  return null
}

/** As few coins as suffice. Where all weigh the same, n of them hold no more than the largest n, so that null means that nothing fits. */
function takeWorthiest(coins: readonly Utxo[], problem: Problem): Utxo[] | null {
  let rest = problem.balance
  const taken: Utxo[] = []
  for (const coin of coins) {
    rest += coin.amount
    taken.push(coin)
    const cost = problem.costOf(taken)
    if (!cost.withChange && !cost.withoutChange) return null
    if (rest >= leastRestOf(cost, problem)) return taken
  }
  return null
}

/** How many coins beside the required ones a transaction that nodes relay can spend. */
function mostAdded({ withChange, withoutChange }: Problem): number {
  return Math.max(withChange.length, withoutChange.length) - 1
}

/** What the inputs must hold beyond the outputs. */
function leastRestOf(
  { withChange, withoutChange }: ReturnType<Problem['costOf']>,
  { leastChange }: Problem,
): bigint {
  return withoutChange?.fee ?? (withChange?.fee ?? 0n) + leastChange
}

function explainShortage(coins: readonly Utxo[], problem: Problem): InsufficientFundsError {
  const { required, balance } = problem
  const most = coins.slice(0, mostAdded(problem))
  const held = amountOf(required)
  const cost =
    required.length + most.length === 0
      ? {
          withChange: problem.withChange[1] ?? null,
          withoutChange: problem.withoutChange[1] ?? null,
        }
      : problem.costOf(most)
  const needed = held - balance + leastRestOf(cost, problem)
  return new InsufficientFundsError(needed, held + amountOf(most))
}

/** Largest first, each outpoint once; the order does not depend on the order given. */
function sortCoins(utxos: readonly Utxo[]): Utxo[] {
  const sorted = [...utxos].sort((a, b) => {
    if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1
    return a.txid === b.txid ? a.vout - b.vout : a.txid < b.txid ? -1 : 1
  })
  return sorted.filter(
    ({ txid, vout }, i) => sorted[i - 1]?.txid !== txid || sorted[i - 1]?.vout !== vout,
  )
}

/** What holds most beyond its own fee first; the order does not depend on the order given, either. */
function sortByWorth(coins: readonly Utxo[], feeOf: (coin: Utxo) => bigint): Utxo[] {
  return coins
    .map(coin => ({ coin, worth: coin.amount - feeOf(coin) }))
    .toSorted((a, b) => (a.worth === b.worth ? 0 : a.worth > b.worth ? -1 : 1))
    .map(({ coin }) => coin)
}

function amountOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}
