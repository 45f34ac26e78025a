import { askAlways, type Method } from '../requests/method.ts'
import { finishSending } from '../sending/outgoing.ts'
import { payForSite, type SitePaymentParts } from './site-payment.ts'

/** Pays sats to several addresses in one transaction; resolves `{ txid }`. */
export const sendTransfer: Method<'sendTransfer', SitePaymentParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { recipients, feeRate }) => {
    const txid = await payForSite(context, {
      recipients: recipients.map(({ address, sats }, at) => ({
        to: address,
        amount: sats,
        fields: { to: `recipients[${at}].address`, amount: `recipients[${at}].amount` },
      })),
      memo: null,
      feeRate,
    })
    return { txid }
  },
  finish: (wallet, journal) => finishSending(wallet, journal)?.then(txid => ({ txid })) ?? null,
}
