import { dustLimit } from '../dust.ts'
import { feeForVsize } from '../fee-rate.ts'
import type { TransactionOutput } from '../transaction.ts'
import { createInputSizes, weighMixedTransaction } from '../transaction-size.ts'
import type { Utxo } from '../utxo.ts'
import { type CoinSelectionParams, selectCoins } from './coin-selection.ts'
import {
  type AnyPayer,
  assetScriptFor,
  assetScriptOf,
  changeScriptOf,
  type Payment,
} from './payment.ts'
import type { PaymentOutput } from './silent-outputs.ts'

/** A payment of ours that is in no block yet; the amounts of its inputs are known. */
export type SentPayment = Pick<
  Payment,
  'inputs' | 'outputs' | 'changeIndex' | 'fee' | 'vsize' | 'leading'
>

/** The fee rate asked is below the least that makes sense or that nodes take. */
export class FeeBumpError extends Error {
  override name = 'FeeBumpError'
  /** sat/vB, three decimals. */
  readonly leastFeeRate: number
  constructor(leastFeeRate: number) {
    super(`The fee rate must be at least ${leastFeeRate} sat/vB`)
    this.leastFeeRate = leastFeeRate
  }
}

/** sat/vB that a replacement pays for its own size on top of the old fee (BIP-125 rule 4): 1 until Bitcoin Core 30, then 0.1. */
const INCREMENTAL_FEE_RATE = 1

/** sat/vB with which nodes take a transaction of the same size in place of this one, rounded up to three decimals. */
export function leastReplacementFeeRate({
  fee,
  vsize,
}: Pick<SentPayment, 'fee' | 'vsize'>): number {
  return rateOf(leastReplacementFee({ fee }, vsize), vsize)
}

/**
 * The same for its cancellation, which is usually smaller and must pay more than the old fee all the same. `own` is the
 * account that paid.
 */
export function leastCancellationFeeRate(sent: SentPayment, own: AnyPayer): number {
  const returned = listReturned(sent, own).map(({ scriptPubKey }) => scriptPubKey)
  const sizeOf = createInputSizes(own.addressType)
  const sizes = sent.inputs.map(({ scriptPubKey }) => sizeOf(scriptPubKey))
  const weight = weighMixedTransaction(sizes, [...returned, changeScriptOf(own)])
  const vsize = Math.ceil(weight / 4)
  const rate = rateOf(leastReplacementFee(sent, vsize), vsize)
  return Math.max(rate, leastReplacementFeeRate(sent))
}

/** sat/vB of a child and its parent together that is above the parent's own, with three decimals. */
export function leastChildFeeRate({ fee, vsize }: Pick<SentPayment, 'fee' | 'vsize'>): number {
  return rateOf(fee + 1n, vsize)
}

type Bump<P extends AnyPayer> = {
  sent: SentPayment
  /** Coins that may be added; unconfirmed ones are not (BIP-125 rule 2). */
  utxos: readonly Utxo[]
  own: P
  /** sat/vB. */
  feeRate: number
  seed: string
}

/**
 * The same payment at a higher fee rate: all its inputs, recipients and memo; the change pays, and further coins do when
 * that does not suffice. Throws {@link FeeBumpError}, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildReplacement<P extends AnyPayer>(bump: Bump<P>): Payment<P['addressType']> {
  const { outputs, changeIndex } = bump.sent
  return replace(
    bump,
    outputs.filter((_, i) => i !== changeIndex),
    changeIndex ?? outputs.length,
  )
}

/**
 * Takes a payment back: a replacement that returns all its inputs, less the fee, to the account that pays; what carries
 * assets in outputs of the same amounts. The fee may be above the fee rate, as it must be above what the payment paid,
 * which may be larger. Throws like {@link buildReplacement}.
 */
export function buildCancellation<P extends AnyPayer>(bump: Bump<P>): Payment<P['addressType']> {
  const kept = listReturned(bump.sent, bump.own)
  const payment = replace(bump, kept, kept.length)
  return { ...payment, leading: { ...payment.leading, outputs: kept.length } }
}

const OP_RETURN = 0x6a

/**
 * What comes back in outputs of its own; without its runestone all runes go to the first of them. Sats that were to be burned come
 * back in one output with those before them, which had kept them at their place.
 */
function listReturned({ outputs, leading }: SentPayment, own: AnyPayer): TransactionOutput[] {
  const amounts: bigint[] = []
  for (const { scriptPubKey, amount } of outputs.slice(0, leading.outputs)) {
    if (scriptPubKey[0] !== OP_RETURN) amounts.push(amount)
    else if (amount > 0n) {
      const together = (amounts.pop() ?? 0n) + amount
      const least = dustLimit(assetScriptOf(own))
      amounts.push(together < least ? least : together)
    }
  }
  return amounts.map(amount => ({ scriptPubKey: assetScriptFor(own, amount), amount }))
}

/** `changeIndex` is where change goes, if there is any. */
function replace<P extends AnyPayer>(
  bump: Bump<P>,
  kept: PaymentOutput[],
  changeIndex: number,
): Payment<P['addressType']> {
  const { sent, feeRate } = bump
  const leastFeeRate = leastReplacementFeeRate(sent)
  if (feeRate < leastFeeRate) throw new FeeBumpError(leastFeeRate)
  // A replacement may be smaller than what it replaces, and must pay more than that all the same (BIP-125 rules 3 and 4).
  const leastFee = (vsize: number) => replacementFee(vsize, { feeRate, evictedFee: sent.fee })
  const leading = sent.inputs.slice(0, sent.leading.inputs)
  const spending = { leading, required: sent.inputs, outputs: kept, leastFee }
  return { ...build(bump, spending, changeIndex), leading: sent.leading }
}

/**
 * A transaction of own coins back to the account that lifts its unconfirmed parent: the two together pay `feeRate`. `coin`
 * is an own output of the parent; one that `mayCarry` something comes back whole and first, and other coins pay. Throws {@link FeeBumpError}, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildChild<P extends AnyPayer>(bump: {
  parent: { fee: bigint; vsize: number }
  coin: Utxo
  mayCarry: boolean
  /** Coins that may be added; unconfirmed ones are not, as their own parents would weigh on the fee rate. */
  utxos: readonly Utxo[]
  own: P
  /** sat/vB. */
  feeRate: number
  seed: string
}): Payment<P['addressType']> {
  const { parent, coin, mayCarry, own, feeRate } = bump
  const leastFeeRate = leastChildFeeRate(parent)
  if (feeRate < leastFeeRate) throw new FeeBumpError(leastFeeRate)
  const leastFee = (vsize: number) => feeForVsize(parent.vsize + vsize, feeRate) - parent.fee
  if (!mayCarry) return build(bump, { required: [coin], outputs: [], leastFee }, 0)
  const whole = {
    scriptPubKey: assetScriptFor(own, coin.amount),
    amount: coin.amount,
  }
  const child = build(bump, { leading: [coin], outputs: [whole], leastFee }, 1)
  return { ...child, leading: { inputs: 1, outputs: 1 } }
}

function build<P extends AnyPayer>(
  { own, utxos, feeRate, seed }: Omit<Bump<P>, 'sent'>,
  spending: Pick<CoinSelectionParams, 'leading' | 'required' | 'leastFee'> & {
    outputs: readonly PaymentOutput[]
  },
  changeIndex: number,
): Payment<P['addressType']> {
  const changeScript = changeScriptOf(own)
  const { change, ...chosen } = selectCoins({
    ...spending,
    utxos: utxos.filter(({ height }) => height !== null),
    inputType: own.addressType,
    changeScript,
    feeRate,
    seed,
  })
  const outputs = [...spending.outputs]
  if (change > 0n) outputs.splice(changeIndex, 0, { scriptPubKey: changeScript, amount: change })
  return {
    ...chosen,
    outputs,
    addressType: own.addressType,
    feeRate,
    changeIndex: change > 0n ? changeIndex : null,
    leading: { inputs: 0, outputs: 0 },
  }
}

/**
 * Sats that a transaction pays at a fee rate (sat/vB), or more where it must in place of others: `evictedFee` are the fees
 * of all that it drives out of the mempool, 0 for nothing.
 */
export function replacementFee(
  vsize: number,
  { feeRate, evictedFee }: { feeRate: number; evictedFee: bigint },
): bigint {
  const asked = feeForVsize(vsize, feeRate)
  const least = evictedFee > 0n ? leastReplacementFee({ fee: evictedFee }, vsize) : 0n
  return asked > least ? asked : least
}

/** Sats with which a replacement of this size pays for what it replaces and for its own relay. */
function leastReplacementFee({ fee }: { fee: bigint }, vsize: number): bigint {
  return fee + feeForVsize(vsize, INCREMENTAL_FEE_RATE)
}

/** sat/vB rounded up to three decimals. */
function rateOf(fee: bigint, vsize: number): number {
  const size = BigInt(vsize)
  return Number((fee * 1000n + size - 1n) / size) / 1000
}
