import { type PsbtSigningParts, signPsbtsForSite } from '../psbts/psbt-signing.ts'
import { askAlways, type Method } from '../requests/method.ts'

/** Signs the connected account's inputs of a PSBT, those that the page names or all; hex in, hex out. */
export const signPsbt: Method<'signPsbt', PsbtSigningParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { psbt, options }) => {
    const [signed] = await signPsbtsForSite(context, [
      { psbt, options, fields: { psbt: 'psbt', options: 'options' } },
    ])
    if (signed === undefined) throw new Error('psbt: nothing came back')
    return signed
  },
}
