import type { ProofParts } from '../collectibles/inscription-proofs.ts'
import { askAlways, type Method } from '../requests/method.ts'
import { finishSending } from '../sending/outgoing.ts'
import { type SitePaymentParts, transferForSite } from './site-payment.ts'

/** Sends one inscription to an address and resolves the txid. */
export const sendInscription: Method<'sendInscription', SitePaymentParts & ProofParts> = {
  access: 'connected',
  answer: askAlways,
  ask: (context, { address, inscriptionId, feeRate }) =>
    transferForSite(context, {
      moves: [{ id: inscriptionId, to: address, field: 'address' }],
      feeRate,
      field: 'inscriptionId',
    }),
  finish: finishSending,
}
