import { finishPsbts, type PsbtSigningParts, signPsbtsForSite } from '../psbts/psbt-signing.ts'
import { askAlways, type Method } from '../requests/method.ts'

/** Signs the connected account's inputs of a PSBT, those that the page names or all, and sends it if it is to; hex in, hex out. */
export const signPsbt: Method<'signPsbt', PsbtSigningParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { psbt, options }) => {
    const order = { psbt, options, fields: { psbt: 'psbt', options: 'options' } }
    return takeOne(await signPsbtsForSite(context, [order]))
  },
  finish: (wallet, journal) => finishPsbts(wallet, journal)?.then(takeOne) ?? null,
}

function takeOne([signed]: readonly string[]): string {
  if (signed === undefined) throw new Error('psbt: nothing came back')
  return signed
}
