import { askAlways, type Method } from '../requests/method.ts'
import { finishSending } from '../sending/outgoing.ts'
import { type SitePaymentParts, sendRunesForSite } from './site-payment.ts'

/** Sends runes, several of them to several where asked, in one transaction; resolves `{ txid }`. */
export const sendRunes: Method<'sendRunes', SitePaymentParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { recipients, feeRate }) => {
    const orders = recipients.map(({ address, rune, amount, amountField }, at) => ({
      ...{ rune, amount, to: address },
      fields: {
        rune: `recipients[${at}].rune`,
        amount: amountField,
        to: `recipients[${at}].address`,
      },
    }))
    return { txid: await sendRunesForSite(context, { orders, feeRate, field: 'recipients' }) }
  },
  finish: (wallet, journal) => finishSending(wallet, journal)?.then(txid => ({ txid })) ?? null,
}
