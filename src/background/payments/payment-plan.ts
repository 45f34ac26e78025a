// payments: Payments of our own: worked out, checked, signed and confirmed, also transfers, splits and fee bumps.
// It promises that exactly what was shown is signed, or nothing; it never broadcasts before the signed transaction
// is stored, and never spends a held coin unasked.

import { addressOfScript, InvalidAddressError, parseAddress } from '../../bitcoin/address.ts'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import {
  type AnyPayer,
  buildPayment,
  type Payer,
  type Payment,
  type Recipient,
} from '../../bitcoin/payments/payment.ts'
import { parsePayee } from '../../bitcoin/silent-payments/payee.ts'
import { feeRateForLongSignatures } from '../../bitcoin/transaction-size.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { traceAssets } from '../../ordinals/flow/asset-flow.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import {
  type PayingContext,
  type PaymentContext,
  payerWithChange,
} from '../accounts/payment-context.ts'
import { describeCarried, type OutputAssets } from '../activity/stored-assets.ts'
import { encodePayment, type StoredPayment } from '../activity/stored-payment.ts'
import { buildOrThrowInsufficient, takeCoins } from '../coins/coin-shortage.ts'
import { type CoinParts, type Coins, loadCoins } from '../coins/coins.ts'
import type { NamedAddress } from '../names/payment-names.ts'
import {
  type FeeParts,
  type FeeReferences,
  loadFeeRates,
  loadOtherReferences,
} from '../review/fee-rates.ts'
import { type KnownAddressParts, loadKnownAddresses } from '../review/payment-warnings.ts'
import { type RepeatedPaymentParts, warnOfRepeated } from '../review/repeated-payments.ts'
import type { PayingAccountView } from '../views/account-views.ts'
import type { PaymentReview } from '../views/payment-views.ts'
import type { BatchAbout } from '../views/psbt-views.ts'
import { type PaymentPurpose, reviewPayment } from './payment-review.ts'
import { assertNoneReturned } from './returned-payments.ts'
import {
  assertPaysSilently,
  type SilentPaymentParts,
  withSilentOutputs,
} from './silent-payments.ts'

/** The parts of the wallet that a payment is worked out with. */
export type PlanningParts = CoinParts & FeeParts & KnownAddressParts & RepeatedPaymentParts

/** A payment as it is asked for, by a site or in our own pages; `field` names are for errors. */
export type PaymentOrder = {
  recipients: readonly OrderedRecipient[]
  memo: { text: string; position: number } | null
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  /** These outpoints are spent, and what a payment that ended requires; null leaves the choice to the wallet. */
  coins: readonly string[] | null
  seed: string
  /** Small coins that are kept back, where it is not a payment. */
  purpose?: 'prepare'
}

export type OrderedRecipient = {
  to: string
  amount: bigint | 'max'
  fields: { to: string; amount: string }
}

/** What was planned and is shown; exactly this is signed. */
export type Plan = {
  payment: StoredPayment<SpendType>
  review: PaymentReview
  spends: string[]
  /** What its outputs carry; null where something of that is not known. */
  carried: OutputAssets | null
  /** What its entry in the activity says that it is. */
  about: BatchAbout
  /** When it was worked out. */
  at: number
  /** The names that the person gave in the place of addresses. */
  names?: NamedAddress[]
}

/**
 * Works out a payment; nothing is signed. Throws -32602 that names the field, INSUFFICIENT_FUNDS, COINS_HELD, ABSURD_FEE,
 * SILENT_PAYMENT_IMPOSSIBLE, BackendUnavailableError.
 */
export async function planPayment(
  context: PayingContext<PlanningParts & SilentPaymentParts>,
  order: PaymentOrder,
): Promise<Plan> {
  const { wallet } = context
  const recipients = order.recipients.map(recipient => readRecipient(recipient, context))
  const at = wallet.now()
  const load = () => loadCoinsAndFeeRate(context, order.feeRate)
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own }) => {
      const chosen = order.coins && takeCoins(coins, order.coins)
      const required = coins.withRequired(chosen ?? [])
      return buildOrThrowInsufficient(coins, utxos => {
        const terms = {
          recipients,
          memo: order.memo && { data: toUtf8(order.memo.text), position: order.memo.position },
          utxos: chosen ?? utxos,
          own,
          feeRate,
          seed: order.seed,
        }
        return chosen && required.length > chosen.length
          ? buildBeside(terms, chosen, required)
          : buildPayment({ ...terms, required })
      })
    },
  )
  return describePlan(
    context,
    await withSilentOutputs(context, payment),
    { purpose: order.purpose ?? 'send', previous: null },
    { ...subject, at },
  )
}

/**
 * A payment of chosen coins that spends others which an earlier payment requires: everything is what the chosen ones hold, and the
 * others come back, unless they do not pay for that.
 */
function buildBeside<P extends AnyPayer>(
  terms: Parameters<typeof buildPayment<P>>[0],
  chosen: readonly Utxo[],
  required: readonly Utxo[],
): Payment<P['addressType']> {
  const { recipients } = terms
  if (recipients.every(({ amount }) => amount !== 'max'))
    return buildPayment({ ...terms, required })
  const { inputs, fee } = buildPayment({ ...terms, required: chosen })
  const fixed = recipients.flatMap(({ amount }) => (amount === 'max' ? [] : amount))
  const most = fixed.reduce(
    (rest, amount) => rest - amount,
    inputs.reduce((sum, { amount }) => sum + amount, -fee),
  )
  const paid = recipients.map(one => ({ ...one, amount: one.amount === 'max' ? most : one.amount }))
  try {
    return buildPayment({ ...terms, recipients: paid, required })
  } catch (error) {
    if (!(error instanceof InsufficientFundsError)) throw error
    return buildPayment({ ...terms, required })
  }
}

/** What a payment is built from: the coins, the fee rate (sat/vB), and who pays, with where the change goes. */
export type PaymentTerms<P extends AnyPayer = Payer> = {
  coins: Coins
  /** What the fee is held against: nothing is built by it, so that coins are looked at meanwhile. */
  feesAsked: Promise<FeeReferences>
  feeRate: number
  own: P
}

/** The account's coins, and the fee rate (sat/vB): half an hour's unless given. Throws BackendUnavailableError. */
export async function loadCoinsAndFeeRate(
  context: PaymentContext<PlanningParts>,
  given: number | null,
): Promise<PaymentTerms>
export async function loadCoinsAndFeeRate(
  context: PayingContext<PlanningParts>,
  given: number | null,
): Promise<PaymentTerms<AnyPayer>>
export async function loadCoinsAndFeeRate(
  context: PayingContext<PlanningParts>,
  given: number | null,
): Promise<PaymentTerms<AnyPayer>> {
  const { wallet, account, network } = context
  const othersAsked = loadOtherReferences(wallet, network)
  const [coins, rates] = await Promise.all([
    loadCoins(wallet, account, network),
    loadFeeRates(wallet, network).catch(error => {
      if (given === null) throw error
      return null
    }),
  ])
  const feeRate = given ?? rates?.halfHour
  if (feeRate === undefined) throw new Error('No fee rate')
  // After the coins, which tell which addresses are used.
  const own = await payerWithChange(context)
  return {
    // Of an account of one address anybody can look up what it has.
    coins: { ...coins, isSecret: account.descriptor !== null && context.key != null },
    feesAsked: othersAsked.then(others => ({ rates, ...others })),
    feeRate: reckonedFeeRate(account, feeRate),
    own,
  }
}

/** The fee rate at which a payment is built so that it pays `feeRate` once it is signed, by a device too. */
export function reckonedFeeRate(account: PayingAccountView, feeRate: number): number {
  const { source, addressType } = account
  // What several signers take is reckoned with the longest signatures already.
  return source === 'device' ? feeRateForLongSignatures(feeRate, addressType) : feeRate
}

/**
 * Builds a payment, holds the coins that it chose against the transactions that created them, and builds it anew while one
 * of those shows what the index did not tell. `load` is asked again then: such coins are held from now on. Throws PLAN_OUTDATED
 * where a payment that was refused is on its way after all.
 */
export async function buildWithCheckedInputs<
  T extends { coins: Coins },
  P extends Pick<Payment, 'inputs'> = Payment,
>(
  { wallet, account, network }: PayingContext<CoinParts>,
  load: () => Promise<T>,
  build: (subject: T) => P,
): Promise<{ subject: T; payment: P }> {
  for (;;) {
    const subject = await load()
    await assertNoneReturned({ wallet, account, network }, subject.coins)
    const payment = build(subject)
    const inputs = new Set(payment.inputs.map(formatOutpoint))
    const chosen = subject.coins.all.filter(({ outpoint }) => inputs.has(outpoint))
    if (!(await wallet.coinAssets.findUndeclared(wallet, network, account.id, chosen)))
      return { subject, payment }
  }
}

/** The plan of a payment that was built: with what is shown of it. */
export async function describePlan(
  context: PayingContext<PlanningParts>,
  payment: Payment<SpendType>,
  purpose: PaymentPurpose,
  { coins, feesAsked, at }: Pick<PaymentTerms, 'coins' | 'feesAsked'> & { at: number },
): Promise<Plan> {
  const recipients = payment.outputs.flatMap(
    ({ scriptPubKey, silentPaymentAddress }) =>
      silentPaymentAddress ?? addressOfScript(scriptPubKey, context.network) ?? [],
  )
  const { wallet, account, network } = context
  const scripts = [...payment.inputs, ...payment.outputs].map(({ scriptPubKey }) => scriptPubKey)
  const own = await wallet.addresses.find(network, account, scripts)
  const [knownAddresses, repeated, { held, numbers }, fees] = await Promise.all([
    loadKnownAddresses(context, recipients),
    purpose.purpose === 'send' ? warnOfRepeated(context, listPayees(payment, network, own)) : [],
    loadInputAssets(context, payment.inputs, coins),
    feesAsked,
  ])
  const inputs = payment.inputs.map(({ amount }, at) => ({
    amount,
    assets: held[at] ?? UNANSWERED,
  }))
  const { moves } = traceAssets({ inputs, outputs: payment.outputs })
  const known = { coins, fees, knownAddresses, repeated, held, moves, numbers, own }
  return {
    payment: encodePayment(payment),
    review: reviewPayment(context, payment, purpose, known),
    spends: payment.inputs.map(formatOutpoint),
    carried: describeCarried(held, moves),
    about: null,
    at,
  }
}

/** Whom it pays besides this account, and how much each. */
function listPayees(
  { outputs }: Payment<SpendType>,
  network: Network,
  own: readonly AccountAddress[],
): { to: string; sats: string }[] {
  const ownAddresses = new Set(own.map(({ address }) => address))
  return outputs.flatMap(({ scriptPubKey, amount, silentPaymentAddress }) => {
    const to = silentPaymentAddress ?? addressOfScript(scriptPubKey, network)
    return to === null || ownAddresses.has(to) ? [] : { to, sats: String(amount) }
  })
}

/** What sits on the inputs of a payment, in their order, and the numbers of inscriptions among it. */
export type InputAssets = {
  held: readonly CoinAssets[]
  numbers: ReadonlyMap<InscriptionId, number>
}

/** Of inputs that are spent already, as those of what a bump replaces, it is asked here. */
export async function loadInputAssets(
  { wallet, network, account }: PayingContext<CoinParts>,
  inputs: readonly Utxo[],
  coins: Coins,
): Promise<InputAssets> {
  const known = new Map(coins.all.map(({ outpoint, assets }) => [outpoint, assets]))
  const others = inputs.filter(input => !known.has(formatOutpoint(input)))
  const asked =
    others.length === 0
      ? null
      : await wallet.coinAssets.classify(wallet, network, account.id, others)
  const spent = inputs.map(input => {
    const outpoint = formatOutpoint(input)
    const assets = known.get(outpoint) ?? asked?.get(outpoint) ?? UNANSWERED
    return { outpoint, amount: input.amount, assets }
  })
  const { assets, numbers } = await wallet.coinAssets.complete(wallet, network, spent)
  return { held: spent.map(coin => assets.get(coin.outpoint) ?? coin.assets), numbers }
}

function readRecipient(
  { to, amount, fields }: OrderedRecipient,
  { account, network }: PayingContext,
): Recipient {
  const { scriptPubKey, address, isSilent } = readParam(fields.to, to, network, parsePayee)
  if (isSilent) assertPaysSilently(account)
  const limit = dustLimit(scriptPubKey)
  if (amount !== 'max' && amount < limit) {
    const expected = `at least ${limit} sats to this kind of address`
    throw invalidParams(fields.amount, Number(amount), expected)
  }
  return { scriptPubKey, amount, ...(isSilent && { silentPaymentAddress: address }) }
}

/** The scriptPubKey of an address. Throws -32602 that names the field. */
export function parseAddressParam(field: string, text: string, network: Network): Uint8Array {
  return readParam(field, text, network, parseAddress).scriptPubKey
}

function readParam<T>(
  field: string,
  text: string,
  network: Network,
  parse: (text: string, network: Network) => T,
): T {
  try {
    return parse(text, network)
  } catch (cause) {
    if (!(cause instanceof InvalidAddressError)) throw cause
    const expected = `an address on ${network} (${cause.message})`
    throw Object.assign(invalidParams(field, text, expected), { cause })
  }
}
