import type { AddressType } from './address.ts'
import { findExactMatch } from './branch-and-bound.ts'
import { dustLimit } from './dust.ts'
import { feeForVsize, toMilliSats } from './fee-rate.ts'
import { formatOutpoint } from './outpoint.ts'
import { shuffle } from './seeded-shuffle.ts'
import type { TransactionOutput } from './transaction.ts'
import {
  MAX_STANDARD_WEIGHT,
  transactionVsize,
  transactionWeight,
  weightOfInput,
} from './transaction-size.ts'
import type { Utxo } from './utxo.ts'

/** Coins to spend, what comes back (0n = no change output), and the fee and size of the signed transaction. */
export type CoinSelection = { inputs: Utxo[]; change: bigint; fee: bigint; vsize: number }

export type CoinSelectionParams = {
  /** Coins of one address. */
  utxos: readonly Utxo[]
  inputType: AddressType
  outputs: readonly TransactionOutput[]
  changeScript: Uint8Array
  /** sat/vB with at most three decimals. */
  feeRate: number
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

/** Fee rate (sat/vB) at which Bitcoin Core supposes that a coin not spent today will be spent one day. */
const LONG_TERM_FEE_RATE = 10

/** Sats that a random draw leaves as change at least, so that the change is worth having. */
const RANDOM_DRAW_CHANGE = 50_000n

/**
 * Picks coins as Bitcoin Core does: branch and bound for a payment without change, a random draw, and largest first,
 * whichever wastes least. The fee is exact for the signed transaction; without change it also takes what would be dust.
 * Throws {@link InsufficientFundsError} only when nothing fits.
 */
export function selectCoins(params: CoinSelectionParams): CoinSelection {
  const coins = sortCoins(params.utxos)
  const economical = coins.filter(({ amount }) => amount > spendingCost(params))
  const candidates = [
    findExactMatch(economical, requirementsOf(params, economical.length)),
    drawRandomly(economical, params),
    takeLargest(coins, params),
  ]
  let best: CoinSelection | null = null
  for (const inputs of candidates) {
    const selection = inputs && settle(inputs, params)
    if (!selection) continue
    if (!best || wasteOf(selection, params) < wasteOf(best, params)) best = selection
  }
  if (best) return best
  const most = coins.slice(0, mostInputs(coins.length, params))
  throw new InsufficientFundsError(
    amountOf(params.outputs) + feeOf(params, Math.max(most.length, 1), false),
    amountOf(most),
  )
}

/** How many of the coins fit into a transaction that nodes relay. */
function mostInputs(coinCount: number, { inputType, outputs }: CoinSelectionParams): number {
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  let count = coinCount
  while (count > 0 && transactionWeight(inputType, count, scripts) > MAX_STANDARD_WEIGHT) count--
  return count
}

/** Change and fee for given inputs; null when they do not suffice. */
function settle(inputs: Utxo[], params: CoinSelectionParams): CoinSelection | null {
  const { inputType, outputs, changeScript } = params
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  const rest = amountOf(inputs) - amountOf(outputs)
  const change = rest - feeOf(params, inputs.length, true)
  if (change >= leastChange(changeScript)) {
    const withChange = [...scripts, changeScript]
    if (transactionWeight(inputType, inputs.length, withChange) > MAX_STANDARD_WEIGHT) return null
    const vsize = transactionVsize(inputType, inputs.length, withChange)
    return { inputs, change, fee: rest - change, vsize }
  }
  if (inputs.length === 0 || rest < feeOf(params, inputs.length, false)) return null
  if (transactionWeight(inputType, inputs.length, scripts) > MAX_STANDARD_WEIGHT) return null
  return {
    inputs,
    change: 0n,
    fee: rest,
    vsize: transactionVsize(inputType, inputs.length, scripts),
  }
}

/** For each number of inputs, the least that they must hold, and the most that leaves no change. */
function requirementsOf(params: CoinSelectionParams, most: number) {
  const target = amountOf(params.outputs)
  return Array.from({ length: most + 1 }, (_, count) => ({
    least: target + feeOf(params, count, false),
    most: target + feeOf(params, count, true) + leastChange(params.changeScript) - 1n,
  }))
}

function drawRandomly(coins: readonly Utxo[], params: CoinSelectionParams): Utxo[] | null {
  const drawn: Utxo[] = []
  let total = -amountOf(params.outputs)
  for (const coin of shuffle(coins, params.seed)) {
    drawn.push(coin)
    total += coin.amount
    if (total - feeOf(params, drawn.length, true) >= RANDOM_DRAW_CHANGE) return drawn
  }
  return null
}

/** The fewest coins that suffice; the largest n coins are the most that n coins can hold, so null means that nothing fits. */
function takeLargest(coins: readonly Utxo[], params: CoinSelectionParams): Utxo[] | null {
  let total = -amountOf(params.outputs)
  for (const [i, coin] of coins.entries()) {
    total += coin.amount
    if (total >= feeOf(params, i + 1, false)) return coins.slice(0, i + 1)
  }
  return null
}

/** Bitcoin Core's waste metric, in 1/4000 sat: what is lost beside spending the same coins at the long-term fee rate. */
function wasteOf(selection: CoinSelection, params: CoinSelectionParams): bigint {
  const { inputs, change, fee, vsize } = selection
  const { inputType, changeScript, feeRate } = params
  const longTermRate = toMilliSats(LONG_TERM_FEE_RATE)
  const inputWeight = BigInt(weightOfInput(inputType))
  const timing = BigInt(inputs.length) * inputWeight * (toMilliSats(feeRate) - longTermRate)
  if (change === 0n) return timing + 4000n * (fee - feeForVsize(vsize, feeRate))
  const changeWeight = BigInt(4 * (8 + 1 + changeScript.length))
  return timing + changeWeight * toMilliSats(feeRate) + inputWeight * longTermRate
}

/** What an input costs at this fee rate, in whole sats; a coin that holds no more is not worth spending. */
function spendingCost({ inputType, feeRate }: CoinSelectionParams): bigint {
  return feeForVsize(Math.ceil(weightOfInput(inputType) / 4), feeRate)
}

function feeOf(params: CoinSelectionParams, inputCount: number, withChange: boolean): bigint {
  const scripts = params.outputs.map(({ scriptPubKey }) => scriptPubKey)
  if (withChange) scripts.push(params.changeScript)
  return feeForVsize(transactionVsize(params.inputType, inputCount, scripts), params.feeRate)
}

/** Change is never dust, and never nothing. */
function leastChange(changeScript: Uint8Array): bigint {
  const limit = dustLimit(changeScript)
  return limit > 0n ? limit : 1n
}

/** Largest first, each outpoint once; the order does not depend on the order given. */
function sortCoins(utxos: readonly Utxo[]): Utxo[] {
  const coins = new Map(utxos.map(utxo => [formatOutpoint(utxo), utxo]))
  return [...coins]
    .sort(([a, coinA], [b, coinB]) => {
      if (coinA.amount !== coinB.amount) return coinA.amount > coinB.amount ? -1 : 1
      return a < b ? -1 : 1
    })
    .map(([, coin]) => coin)
}

function amountOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}
