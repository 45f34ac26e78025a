import type { SpendType } from '../../bitcoin/multisig-type.ts'
import {
  InsufficientFundsError,
  TransactionTooLargeError,
} from '../../bitcoin/payments/coin-selection.ts'
import {
  buildCancellation,
  buildChild,
  buildReplacement,
  FeeBumpError,
  leastCancellationFeeRate,
  leastChildFeeRate,
  leastReplacementFeeRate,
} from '../../bitcoin/payments/fee-bump.ts'
import type { AnyPayer, Payment } from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import { type PayingContext, payerOf, payerWithChange } from '../accounts/payment-context.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import type { CoinParts } from '../coins/coins.ts'
import { loadFeeReferences } from '../review/fee-rates.ts'
import type { BumpKind, BumpObstacle, BumpOptions } from '../views/payment-views.ts'
import { type BumpSubject, loadBumpSubject } from './bump-subject.ts'
import {
  buildWithCheckedInputs,
  describePlan,
  type Plan,
  type PlanningParts,
  reckonedFeeRate,
} from './payment-plan.ts'
import { type SilentPaymentParts, withSilentOutputs } from './silent-payments.ts'

/** What can be done about a transaction that waits for a block. Throws BackendUnavailableError. */
export async function listBumpOptions(
  context: PayingContext<CoinParts>,
  txid: string,
): Promise<BumpOptions> {
  const subject = await loadBumpSubject(context, txid)
  const describe = async (kind: BumpKind) =>
    describeOption(context, subject, kind, await payerOfBump(context, subject, kind))
  return {
    'speed-up': await describe('speed-up'),
    child: await describe('child'),
    cancel: await describe('cancel'),
  }
}

/** Works a bump out. Throws BUMP_IMPOSSIBLE with `why`, -32602 for a fee rate that is too low, and like a payment. */
export async function planBump(
  context: PayingContext<PlanningParts & SilentPaymentParts>,
  bump: { txid: string; kind: BumpKind; feeRate: number },
): Promise<Plan> {
  const { txid, kind, feeRate } = bump
  const at = context.wallet.now()
  const feesAsked = loadFeeReferences(context.wallet, context.network)
  try {
    const load = async () => {
      const found = await loadBumpSubject(context, txid)
      return { ...found, own: await payerOfBump(context, found, kind) }
    }
    const { subject, payment } = await buildWithCheckedInputs(context, load, found => {
      const why = findObstacle(found, kind)
      if (why) throw failure('BUMP_IMPOSSIBLE', `This cannot be done: ${why}.`, { data: { why } })
      return buildOrThrowInsufficient(found.coins, utxos =>
        build(context, found, kind, feeRate, utxos, found.own),
      )
    })
    const purpose = { purpose: kind, previous: { txid, ...subject.paid } }
    const known = { coins: subject.coins, feesAsked, at }
    const derived = await withSilentOutputs(context, payment)
    const plan = await describePlan(context, derived, purpose, known)
    return { ...plan, about: kind === 'speed-up' ? subject.about : null }
  } catch (cause) {
    if (!(cause instanceof FeeBumpError)) throw cause
    const expected = `at least ${cause.leastFeeRate} sat/vB`
    throw Object.assign(invalidParams('feeRate', feeRate, expected), { cause })
  }
}

function describeOption(
  context: PayingContext,
  subject: BumpSubject,
  kind: BumpKind,
  own: AnyPayer,
): BumpOptions[BumpKind] {
  const why = findObstacle(subject, kind)
  if (why) return { leastFeeRate: null, why }
  const leastFeeRate = leastFeeRateOf(context, subject, kind)
  try {
    build(context, subject, kind, leastFeeRate, subject.coins.spendable, own)
    return { leastFeeRate, why: null }
  } catch (error) {
    const isShort =
      error instanceof InsufficientFundsError || error instanceof TransactionTooLargeError
    if (!isShort) throw error
    return { leastFeeRate: null, why: 'INSUFFICIENT_FUNDS' }
  }
}

function leastFeeRateOf(
  { account }: PayingContext,
  { paid, sent }: BumpSubject,
  kind: BumpKind,
): number {
  if (kind === 'child') return leastChildFeeRate(paid)
  if (kind === 'speed-up' || !sent) return leastReplacementFeeRate(paid)
  return leastCancellationFeeRate(sent, payerOf(account))
}

function findObstacle(subject: BumpSubject, kind: BumpKind): BumpObstacle | null {
  const { state, sent, ownOutputs, hasChildren, freeOutputs, laden } = subject
  if (state !== 'waiting') return state
  if (kind === 'child') {
    if (freeOutputs.length + laden.length > 0) return null
    if (hasChildren) return 'HAS_CHILDREN'
    return ownOutputs.length > 0 ? 'COINS_HELD' : 'NO_OWN_OUTPUT'
  }
  if (!sent) return 'NOT_OURS'
  if (hasChildren) return 'HAS_CHILDREN'
  // Cancelling is a payment to oneself; one that pays only this account already is one.
  return kind === 'cancel' && ownOutputs.length === sent.outputs.length ? 'ENDED' : null
}

function build(
  { account }: PayingContext,
  { txid, paid, sent, freeOutputs, laden }: BumpSubject,
  kind: BumpKind,
  feeRate: number,
  utxos: readonly Utxo[],
  own: AnyPayer,
): Payment<SpendType> {
  const terms = {
    utxos,
    own,
    feeRate: reckonedFeeRate(account, feeRate),
    seed: `${txid} ${kind}`,
  }
  if (kind === 'child') {
    const mayCarry = freeOutputs.length === 0
    const coin = (mayCarry ? laden : freeOutputs).reduce((best, one) =>
      one.amount > best.amount ? one : best,
    )
    return buildChild({ parent: paid, coin, mayCarry, ...terms })
  }
  if (!sent) throw new Error('A replacement of what this wallet did not pay')
  return (kind === 'speed-up' ? buildReplacement : buildCancellation)({ sent, ...terms })
}

/** What takes the place of a payment returns its change to where that did. */
async function payerOfBump(
  context: PayingContext<CoinParts>,
  { sent }: BumpSubject,
  kind: BumpKind,
): Promise<AnyPayer> {
  const change = sent?.changeIndex == null ? undefined : sent.outputs[sent.changeIndex]
  if (kind !== 'child' && change)
    return { ...payerOf(context.account), changeScript: change.scriptPubKey }
  return payerWithChange(context)
}
