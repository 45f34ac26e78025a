import type { CoinView } from '../../../background/views/payment-views.ts'
import { feeForVsize } from '../../../bitcoin/fee-rate.ts'
import type { SpendType } from '../../../bitcoin/multisig-type.ts'
import {
  MAX_STANDARD_WEIGHT,
  transactionVsize,
  transactionWeight,
  weightOfInput,
} from '../../../bitcoin/transaction-size.ts'

/** How a coin of an account is spent: its inputs, and the scriptPubKey that a merge goes to. */
export type MergeTerms = { type: SpendType; script: Uint8Array }

/** sat/vB that Bitcoin Core merges at in any case, and supposes that coins are spent at one day. */
export const USUAL_RATE = '10'

/** Of coins that may be merged, which ones are offered: those that cost a part of what they hold, or all. */
export const SHARES = ['1', '5', 'all'] as const
export type Share = (typeof SHARES)[number]

/** Sats that spending one coin costs at a fee rate (sat/vB). */
export function costOfSpending({ type }: MergeTerms, rate: number): bigint {
  return feeForVsize(Math.ceil(weightOfInput(type) / 4), rate)
}

/**
 * The coins that a merge at `rate` can take in, the smallest first: those that hold more than they cost now. Of them those
 * whose spending at `laterRate` costs more than a share, in percent, of what they hold.
 */
export function listOffered(
  coins: readonly CoinView[],
  terms: MergeTerms,
  { rate, laterRate, share }: { rate: number; laterRate: number; share: Share },
): CoinView[] {
  const now = costOfSpending(terms, rate)
  const later = costOfSpending(terms, laterRate)
  const isDear = ({ sats }: CoinView) =>
    share === 'all' || later * 100n > BigInt(sats) * BigInt(share)
  return coins
    .filter(coin => coin.mergeable && BigInt(coin.sats) > now && isDear(coin))
    .toSorted((a, b) => Number(BigInt(a.sats) - BigInt(b.sats)))
}

/** How many coins fit into one transaction that nodes relay. */
export function mostMerged({ type, script }: MergeTerms): number {
  let [fits, most] = [1, MAX_STANDARD_WEIGHT]
  while (most - fits > 1) {
    const middle = Math.floor((fits + most) / 2)
    if (transactionWeight(type, middle, [script]) <= MAX_STANDARD_WEIGHT) fits = middle
    else most = middle
  }
  return fits
}

/**
 * What merging so many coins costs now, and what is left of what it saves when all of it is spent at `laterRate`: the inputs
 * that are no longer there then, less the fee of now (negative for a loss). `breakEven` is the rate at which that is nothing, rounded up to a tenth. In sats and sat/vB.
 */
export function sumMerge(
  { type, script }: MergeTerms,
  count: number,
  { rate, laterRate }: { rate: number; laterRate: number },
): { fee: bigint; later: bigint; saved: bigint; breakEven: number } {
  const fee = feeForVsize(transactionVsize(type, count, [script]), rate)
  const spared = (count - 1) * weightOfInput(type)
  const later = BigInt(Math.floor((spared * laterRate) / 4))
  const breakEven = Math.ceil((Number(fee) * 40) / spared) / 10
  return { fee, later, saved: later - fee, breakEven }
}
