import { DEFAULT_SIGN_OPTIONS } from '../../provider/psbt-params.ts'
import { finishPsbts, type PsbtSigningParts, signPsbtsForSite } from '../psbts/psbt-signing.ts'
import { askAlways, type Method } from '../requests/method.ts'

/** Signs several PSBTs with one question: all of them or none. */
export const signPsbts: Method<'signPsbts', PsbtSigningParts> = {
  access: 'connected',
  answer: askAlways,
  ask: (context, { psbts, options }) =>
    signPsbtsForSite(
      context,
      psbts.map((psbt, at) => ({
        psbt,
        options: options[at] ?? DEFAULT_SIGN_OPTIONS,
        fields: { psbt: `psbts[${at}]`, options: `options[${at}]` },
      })),
    ),
  finish: finishPsbts,
}
