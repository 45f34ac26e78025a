import { askAlways, assertConnected, type Method } from '../method.ts'
import { finishSending } from '../outgoing.ts'
import { transferForSite } from '../site-payment.ts'

/** Sends inscriptions to an address in one transaction, input i to output i; resolves `{ txhash }`. */
export const transferNft: Method<'transferNft'> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { from, to, ids }) => {
    assertConnected(context, from)
    const order = { ids, to, feeRate: null, fields: { ids: 'data', to: 'to' } }
    return { txhash: await transferForSite(context, order) }
  },
  finish: (wallet, journal) => finishSending(wallet, journal)?.then(txhash => ({ txhash })) ?? null,
}
