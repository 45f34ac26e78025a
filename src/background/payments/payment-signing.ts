import { toHex } from '../../bitcoin/bytes.ts'
import { isAddressType, type SpendType } from '../../bitcoin/multisig-type.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Payment, SignedPayment } from '../../bitcoin/payments/payment.ts'
import {
  type ParsedTransaction,
  parseTransaction,
  type TransactionOutput,
} from '../../bitcoin/transaction.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import type { PayingContext, PaymentContext } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import { paidFields } from '../activity/sent-records.ts'
import { assetsByOutpoint } from '../activity/stored-assets.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { Signer } from '../keys/signer.ts'
import type { SigningDevice } from '../keys/signing-device.ts'
import type { Sources } from '../settings/servers.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import type { ActivityKind } from '../views/activity-views.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import type { PaymentReview } from '../views/payment-views.ts'
import { describePaymentTask, signPaymentOnDevice } from './device-payment.ts'
import { toAddresses } from './named-recipients.ts'
import type { Plan } from './payment-plan.ts'
import { assertPlanCurrent, planOutdated, replacedBy } from './plan-checks.ts'

/** The parts of the wallet that sign a payment as it was shown. */
export type SigningParts = CoinParts & { signer: Pick<Signer, 'signPayment'> }

/**
 * Signs, and checks the transaction against what was shown before anything of it leaves. `device` is asked where the account's key
 * is on one. Throws PLAN_OUTDATED.
 */
export async function signPlan(
  context: PaymentContext<SigningParts>,
  plan: Plan,
  origin: string | null,
  device: SigningDevice | null,
): Promise<SentRecord> {
  return describeSigned(context, plan, origin, await signPayment(context, plan, device))
}

/** The record of a plan that was signed, which is checked against what was shown. Its addresses count as used from then on. */
export async function describeSigned(
  context: PayingContext<CoinParts>,
  plan: Plan,
  origin: string | null,
  { rawTx, txid }: SignedPayment,
): Promise<SentRecord> {
  const { wallet, account, network } = context
  const { review, spends } = plan
  assertAsReviewed(parseTransaction(rawTx), review)
  const own = await findOwnAddresses(context, decodePayment(plan.payment))
  await wallet.addresses.markUsed(network, account, own)
  const ownAddresses = new Set(own.map(({ address }) => address))
  const paid = review.recipients.map(({ address }) => address)
  const others = paid.filter(address => !ownAddresses.has(address))
  return {
    txid,
    network,
    accountId: account.id,
    kind: kindOf(review, others.length > 0),
    net: String(sumOwn(review.outputs) - sumOwn(review.inputs)),
    ...paidFields(others),
    fee: review.fee,
    origin,
    at: wallet.now(),
    status: 'sending',
    height: null,
    replacedBy: null,
    about: plan.about,
    rawTx: toHex(rawTx),
    spends,
    creates: review.outputs.flatMap((output, vout) =>
      output.own ? [formatOutpoint({ txid, vout })] : [],
    ),
    ...(plan.carried && { carries: assetsByOutpoint(txid, plan.carried) }),
    ...(plan.names && { paymentNames: toAddresses(plan.names) }),
    payment: plan.payment,
    replaces: replacedBy(review),
  }
}

async function signPayment(
  context: PaymentContext<SigningParts>,
  plan: Plan,
  device: SigningDevice | null,
): Promise<SignedPayment> {
  const { wallet, account, network } = context
  const payment = decodeOwn(plan)
  const previousTransactions = await fetchParentTransactions(context, payment)
  await assertSignableNow(context, plan)
  const own = await findOwnAddresses(context, payment)
  if (account.source !== 'device')
    return wallet.signer.signPayment({
      accountId: account.id,
      network,
      payment,
      places: own,
      previousTransactions,
    })
  if (!device) throw new Error('payment: the key is on a device, and none was given')
  const handed = { account, network, payment, own, previous: previousTransactions }
  const signed = await signPaymentOnDevice(device, handed)
  // A device takes minutes.
  await assertSignableNow(context, plan)
  return signed
}

/** What a device is handed to sign a plan. Throws PLAN_OUTDATED. */
export async function describePlanTask(
  context: PaymentContext<SigningParts>,
  account: DeviceAccountView,
  plan: Plan,
): Promise<SignOnDeviceReview> {
  const payment = decodeOwn(plan)
  const previous = await fetchParentTransactions(context, payment)
  await assertSignableNow(context, plan)
  const own = await findOwnAddresses(context, payment)
  return describePaymentTask({ account, network: context.network, payment, own, previous })
}

/** A payment of one key. */
function decodeOwn({ payment }: Plan): Payment {
  const { addressType, ...decoded } = decodePayment(payment)
  if (isAddressType(addressType)) return { ...decoded, addressType }
  throw new Error('payment: expected coins of one key')
}

/** The account's addresses that transactions spend from or pay to, its first one always. */
export function findOwnAddresses(
  { wallet, account, network }: PayingContext<Pick<CoinParts, 'addresses'>>,
  ...transactions: readonly {
    inputs: readonly TransactionOutput[]
    outputs: readonly TransactionOutput[]
  }[]
): Promise<readonly AccountAddress[]> {
  const coins = transactions.flatMap(({ inputs, outputs }) => [...inputs, ...outputs])
  const scripts = coins.map(({ scriptPubKey }) => scriptPubKey)
  return wallet.addresses.find(network, account, scripts)
}

/** The account's addresses that signed transactions pay, its first one always. They count as used from then on. */
export async function claimPaidAddresses(
  context: PayingContext<Pick<CoinParts, 'addresses'>>,
  rawTxs: readonly Uint8Array[],
): Promise<readonly AccountAddress[]> {
  const paying = rawTxs.map(rawTx => ({ inputs: [], outputs: parseTransaction(rawTx).outputs }))
  const own = await findOwnAddresses(context, ...paying)
  await context.wallet.addresses.markUsed(context.network, context.account, own)
  return own
}

async function assertSignableNow(context: PaymentContext<SigningParts>, plan: Plan): Promise<void> {
  await assertParentWaits(context, plan.review)
  await assertPlanCurrent(context, plan)
}

function kindOf({ purpose }: PaymentReview, paysOthers: boolean): ActivityKind {
  if (purpose === 'send' || purpose === 'transfer' || purpose === 'split')
    return paysOthers ? 'sent' : 'moved'
  if (purpose === 'merge') return 'moved'
  return purpose === 'prepare' ? 'prepared' : purpose
}

function assertAsReviewed(signed: ParsedTransaction, review: PaymentReview): void {
  const inputs = signed.inputs.map(formatOutpoint).join()
  const outputs = signed.outputs.map(
    ({ scriptPubKey, amount }) => `${toHex(scriptPubKey)} ${amount}`,
  )
  const shownInputs = review.inputs.map(({ outpoint }) => outpoint).join()
  const shownOutputs = review.outputs.map(({ script, sats }) => `${script} ${sats}`)
  if (inputs !== shownInputs || outputs.join() !== shownOutputs.join()) {
    throw new Error('The signed transaction is not the one that was shown.')
  }
}

/** Throws PLAN_OUTDATED for a child (CPFP) whose parent is in a block by now: it would pay for the parent in vain. */
export async function assertParentWaits(
  { wallet, network }: PayingContext<Pick<Sources, 'chain'>>,
  { purpose, previous }: PaymentReview,
): Promise<void> {
  if (purpose !== 'child' || !previous) return
  const height = await (await wallet.chain(network)).fetchTransactionHeight(previous.txid)
  if (typeof height === 'number') throw planOutdated('A block has the transaction by now.')
}

/** Raw transactions that created the inputs, which prove the amounts of all but taproot inputs; a device gets them in any case. */
export async function fetchParentTransactions(
  { wallet, account, network }: PayingContext<Pick<Sources, 'chain'>>,
  { addressType, inputs }: Pick<Payment<SpendType>, 'addressType' | 'inputs'>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (addressType === 'p2tr' && account.source !== 'device') return new Map()
  const chain = await wallet.chain(network)
  const txids = [...new Set(inputs.map(({ txid }) => txid))]
  return new Map(
    await Promise.all(txids.map(async txid => [txid, await chain.fetchTransaction(txid)] as const)),
  )
}

function sumOwn(parts: readonly { sats: string | null; own: boolean }[]): bigint {
  return parts.reduce((total, { sats, own }) => (own ? total + BigInt(sats ?? 0) : total), 0n)
}
