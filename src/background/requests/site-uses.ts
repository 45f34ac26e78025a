import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { GrantPlace } from './grants.ts'

/** Milliseconds since 1970, by grant, as they are stored. */
export type SiteUses = { readonly [grant: string]: unknown }

/** Not guarded: whoever writes it keeps a grant alive at most, which the person gave. */
const USES_KEY = 'sites.uses'

/** A use is stored where the one that is stored is older than this: calls come by the hundred. */
const PRECISION_MS = 60 * 60_000

/** When each grant was used last, to the hour; kept in local storage. */
export function createSiteUses({ local, now }: { local: StorageArea; now(): number }) {
  /** What this worker has stored or found fresh, so that most calls read nothing. */
  const noted = new Map<string, number>()
  const inTurn = createMutex()

  return {
    load,
    usedAt(uses: SiteUses, grant: GrantPlace): number {
      const usedAt = uses[nameGrant(grant)]
      return typeof usedAt === 'number' ? usedAt : 0
    },
    /** Keeps that a grant is used now, while it is one of those that are listed, and drops what is none of them. */
    async note(grant: GrantPlace, list: () => Promise<readonly GrantPlace[]>): Promise<void> {
      const name = nameGrant(grant)
      const at = now()
      if (isFresh(noted.get(name), at)) return
      noted.set(name, at)
      await inTurn(async () => {
        const uses = await load()
        if (isFresh(uses[name], at)) return
        const names = (await list()).map(nameGrant)
        if (!names.includes(name)) return
        const kept = names.filter(other => Object.hasOwn(uses, other))
        const others = Object.fromEntries(kept.map(other => [other, uses[other]]))
        await local.set({ [USES_KEY]: { ...others, [name]: at } })
      })
    },
  }

  async function load(): Promise<SiteUses> {
    return Object((await local.get(USES_KEY)) ?? {}) as SiteUses
  }
}

/** A time that is to come was written by another clock. */
function isFresh(usedAt: unknown, at: number): boolean {
  return typeof usedAt === 'number' && usedAt <= at && at - usedAt < PRECISION_MS
}

function nameGrant({ origin, accountId, network }: GrantPlace): string {
  return [origin, accountId, network].join(' ')
}
