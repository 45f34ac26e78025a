import { askAlways, assertConnected, type Method } from '../requests/method.ts'
import { finishSending } from '../sending/outgoing.ts'
import { payForSite, type SitePaymentParts } from './site-payment.ts'

/** Pays BTC to an address, with a text in an OP_RETURN output where one is asked for; resolves `{ txhash }`. */
export const send: Method<'send', SitePaymentParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { from, to, sats, feeRate, memo }) => {
    assertConnected(context, from)
    const recipients = [{ to, amount: sats, fields: { to: 'to', amount: 'value' } }]
    return { txhash: await payForSite(context, { recipients, memo, feeRate }) }
  },
  finish: (wallet, journal) => finishSending(wallet, journal)?.then(txhash => ({ txhash })) ?? null,
}
