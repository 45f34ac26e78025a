import { InvalidAddressError, parseAddress } from '../bitcoin/address.ts'
import { toUtf8 } from '../bitcoin/bytes.ts'
import { dustLimit } from '../bitcoin/dust.ts'
import type { Network } from '../bitcoin/network.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import { buildPayment, type Payment, type Recipient } from '../bitcoin/payment.ts'
import type { FeeRates } from '../chain/chain-source.ts'
import { invalidParams } from '../provider/errors.ts'
import { buildOrExplain, takeCoins } from './coin-shortage.ts'
import { type Coins, loadCoins } from './coins.ts'
import { loadFeeRates } from './fee-rates.ts'
import { type PaymentContext, payerOf } from './payment-context.ts'
import { type Purpose, reviewPayment } from './payment-review.ts'
import { loadAcquaintances } from './payment-warnings.ts'
import { encodePayment, type StoredPayment } from './stored-payment.ts'
import type { PaymentReview } from './ui-methods/payment-views.ts'

/** A payment as it is asked for, by a site or in our own pages; `field` names are for errors. */
export type PaymentOrder = {
  recipients: readonly OrderedRecipient[]
  memo: { text: string; position: number } | null
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  /** These outpoints are spent, and what a payment that ended requires; null leaves the choice to the wallet. */
  coins: readonly string[] | null
  seed: string
}

export type OrderedRecipient = {
  to: string
  amount: bigint | 'max'
  fields: { to: string; amount: string }
}

/** What was planned and is shown; exactly this is signed. */
export type Plan = {
  payment: StoredPayment
  review: PaymentReview
  spends: string[]
  /** When it was worked out. */
  at: number
}

/**
 * Works out a payment; nothing is signed. Throws -32602 that names the field, INSUFFICIENT_FUNDS, COINS_HELD, ABSURD_FEE,
 * BackendUnavailableError.
 */
export async function planPayment(context: PaymentContext, order: PaymentOrder): Promise<Plan> {
  const { wallet, account, network } = context
  const recipients = order.recipients.map(recipient => readRecipient(recipient, network))
  const at = wallet.now()
  const [coins, fees] = await Promise.all([
    loadCoins(wallet, account, network),
    loadFeeRates(wallet, network).catch(error => {
      if (order.feeRate === null) throw error
      return null
    }),
  ])
  const feeRate = order.feeRate ?? fees?.halfHour
  if (feeRate === undefined) throw new Error('No fee rate')
  const chosen = order.coins && takeCoins(coins, order.coins)
  const payment = buildOrExplain(coins, utxos =>
    buildPayment({
      recipients,
      memo: order.memo && { data: toUtf8(order.memo.text), position: order.memo.position },
      utxos: chosen ?? utxos,
      required: coins.withRequired(chosen ?? []),
      own: payerOf(account),
      feeRate,
      seed: order.seed,
    }),
  )
  return describePlan(context, payment, { purpose: 'send', previous: null }, { coins, fees, at })
}

/** The plan of a payment that was built: with what is shown of it. */
export async function describePlan(
  context: PaymentContext,
  payment: Payment,
  purpose: Purpose,
  { coins, fees, at }: { coins: Coins; fees: FeeRates | null; at: number },
): Promise<Plan> {
  const { wallet, account, network } = context
  const acquaintances = await loadAcquaintances(wallet, network, account.id)
  return {
    payment: encodePayment(payment),
    review: reviewPayment(context, payment, purpose, { coins, fees, acquaintances }),
    spends: payment.inputs.map(formatOutpoint),
    at,
  }
}

function readRecipient({ to, amount, fields }: OrderedRecipient, network: Network): Recipient {
  const scriptPubKey = readAddress(fields.to, to, network)
  const limit = dustLimit(scriptPubKey)
  if (amount !== 'max' && amount < limit) {
    const expected = `at least ${limit} sats to this kind of address`
    throw invalidParams(fields.amount, Number(amount), expected)
  }
  return { scriptPubKey, amount }
}

function readAddress(field: string, text: string, network: Network): Uint8Array {
  try {
    return parseAddress(text, network).scriptPubKey
  } catch (cause) {
    if (!(cause instanceof InvalidAddressError)) throw cause
    const expected = `an address on ${network} (${cause.message})`
    throw Object.assign(invalidParams(field, text, expected), { cause })
  }
}
