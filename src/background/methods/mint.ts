import { parseMintItems } from '../inscribing/inscribe-items.ts'
import { assertConnected, type Method } from '../requests/method.ts'
import { finishInscribing, inscribeForSite, type SiteInscribingParts } from './site-inscribing.ts'

/** Inscribes 1 to 24 texts, images or BRC-20 operations, each with a reveal of its own. */
export const mint: Method<'mint', SiteInscribingParts> = {
  access: 'connected',
  // What cannot be inscribed is told before anybody is asked.
  answer: async (_, { type, inscriptions }) => void parseMintItems(type, inscriptions),
  ask: async (context, { type, from, inscriptions, feeRate }) => {
    assertConnected(context, from)
    return inscribeForSite(context, { items: parseMintItems(type, inscriptions), feeRate })
  },
  finish: finishInscribing,
}
