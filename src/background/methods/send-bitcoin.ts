import { askAlways, type Method } from '../requests/method.ts'
import { finishSending } from '../sending/outgoing.ts'
import { payForSite, type SitePaymentParts } from './site-payment.ts'

/** Pays sats to an address and resolves the txid. */
export const sendBitcoin: Method<'sendBitcoin', SitePaymentParts> = {
  access: 'connected',
  answer: askAlways,
  ask: (context, { toAddress, sats, feeRate }) =>
    payForSite(context, {
      recipients: [
        { to: toAddress, amount: sats, fields: { to: 'toAddress', amount: 'satoshis' } },
      ],
      memo: null,
      feeRate,
    }),
  finish: finishSending,
}
