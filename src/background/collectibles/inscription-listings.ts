import type { InscriptionPage } from '../views/asset-views.ts'
import type { HeldInscription } from './inscriptions.ts'

/** All of an account's inscriptions, in the order of the list, and how many coins may hold more. */
export type Listing = {
  held: readonly HeldInscription[]
  unchecked: InscriptionPage['unchecked']
}

const KEEP_MS = 60_000

export type InscriptionListings = ReturnType<typeof createInscriptionListings>

/**
 * The list that pages are cut from, in memory: the pages after the first are those of the list as it was then, for a minute.
 * They fit together, and the coins of a large collection, which take hundreds of questions, are not asked for with each.
 */
export function createInscriptionListings({ now }: { now(): number }) {
  let last: { key: string; at: number; listing: Listing } | null = null
  return {
    /** `key` names the account and its network. */
    async load(key: string, offset: number, read: () => Promise<Listing>): Promise<Listing> {
      if (offset > 0 && last?.key === key && now() - last.at < KEEP_MS) return last.listing
      const listing = await read()
      last = { key, at: now(), listing }
      return listing
    },
  }
}
