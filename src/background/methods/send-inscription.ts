import { askAlways, type Method } from '../requests/method.ts'
import { finishSending } from '../sending/outgoing.ts'
import { transferForSite } from './site-payment.ts'

/** Sends one inscription to an address and resolves the txid. */
export const sendInscription: Method<'sendInscription'> = {
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
