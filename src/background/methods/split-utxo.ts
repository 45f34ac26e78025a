import type { SentRecord } from '../activity/activity.ts'
import { planPayment } from '../payments/payment-plan.ts'
import { askAlways, assertConnected, type Method } from '../requests/method.ts'
import { type WithholdingParts, withholdTransaction } from '../sending/outgoing.ts'
import { type SitePaymentParts, signPaymentForSite } from './site-payment.ts'

/** Sats of each coin: no less may be sent to any type of address. */
const AMOUNT = 546n

/**
 * Signs a payment of small coins to the account itself, as PSBTs of marketplaces need them, and keeps it back: it is sent
 * before the first transaction that spends one of the coins. Resolves the coins.
 */
export const splitUtxo: Method<'splitUtxo', SitePaymentParts & WithholdingParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { from, amount }) => {
    assertConnected(context, from)
    const fields = { to: 'from', amount: 'amount' }
    const recipient = { to: context.account.address, amount: AMOUNT, fields }
    const order = {
      recipients: Array.from({ length: amount }, () => recipient),
      ...{ memo: null, feeRate: null, coins: null, seed: context.key },
      purpose: 'prepare' as const,
    }
    const signed = await signPaymentForSite(context, () => planPayment(context, order))
    return { utxos: await withholdTransaction(context.wallet, signed) }
  },
  finish: (wallet, { signed }) =>
    signed ? withholdTransaction(wallet, signed as SentRecord).then(utxos => ({ utxos })) : null,
}
