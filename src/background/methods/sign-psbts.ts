import { askAlways, type Method } from '../method.ts'
import { signForSite } from '../psbt-signing.ts'

/** Signs several PSBTs with one question: all of them or none. */
export const signPsbts: Method<'signPsbts'> = {
  access: 'connected',
  answer: askAlways,
  ask: (context, { psbts, options }) =>
    signForSite(
      context,
      psbts.map((psbt, at) => ({
        psbt,
        options: options[at] ?? { autoFinalized: true, toSignInputs: null },
        fields: { psbt: `psbts[${at}]`, options: `options[${at}]` },
      })),
    ),
}
