import type { ProofParts } from '../collectibles/inscription-proofs.ts'
import { askAlways, assertConnected, type Method } from '../requests/method.ts'
import { finishSending } from '../sending/outgoing.ts'
import { type SitePaymentParts, transferForSite } from './site-payment.ts'

/** Sends inscriptions and Atomicals, each to its address, in one transaction, input i to output i; resolves `{ txhash }`. */
export const transferNft: Method<'transferNft', SitePaymentParts & ProofParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { from, moves, feeRate }) => {
    assertConnected(context, from)
    return { txhash: await transferForSite(context, { moves, feeRate, field: 'data' }) }
  },
  finish: (wallet, journal) => finishSending(wallet, journal)?.then(txhash => ({ txhash })) ?? null,
}
