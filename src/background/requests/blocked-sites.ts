import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'

/** An origin that the person does not want to hear of again. */
export type BlockedSite = { origin: string; at: number }

const STORAGE_KEY = 'blockedSites'

/** The origins that the person has blocked, each exactly as the browser names it; kept in local storage. */
export function createBlockedSites({ local, now }: { local: StorageArea; now(): number }) {
  const inTurn = createMutex()

  return {
    list,
    async has(origin: string): Promise<boolean> {
      return (await list()).some(site => site.origin === origin)
    },
    block(origin: string): Promise<void> {
      return change(sites => [
        ...sites.filter(site => site.origin !== origin),
        { origin, at: now() },
      ])
    },
    /** Runs a task while nobody else writes here. */
    hold: inTurn,
    /** What storage holds with these sites blocked too. */
    async entriesWith(added: readonly BlockedSite[]) {
      const sites = await list()
      const fresh = added.filter(one => !sites.some(({ origin }) => origin === one.origin))
      return { [STORAGE_KEY]: [...sites, ...fresh] }
    },
    unblock(origin: string): Promise<void> {
      return change(sites => sites.filter(site => site.origin !== origin))
    },
  }

  async function list(): Promise<readonly BlockedSite[]> {
    const stored = await local.get(STORAGE_KEY)
    return Array.isArray(stored) ? stored.filter(isBlockedSite) : []
  }

  function change(next: (sites: readonly BlockedSite[]) => BlockedSite[]): Promise<void> {
    return inTurn(async () => local.set({ [STORAGE_KEY]: next(await list()) }))
  }
}

export type BlockedSites = ReturnType<typeof createBlockedSites>

function isBlockedSite(value: unknown): value is BlockedSite {
  const { origin, at } = Object(value)
  return typeof origin === 'string' && typeof at === 'number'
}
