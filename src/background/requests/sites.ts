import type { Network } from '../../bitcoin/network.ts'
import { ChangedRecordError, type Records, RecordsLockedError } from '../../storage/records.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { GrantTerm } from '../views/settings-views.ts'
import {
  endOfGrant,
  type Grant,
  type GrantPlace,
  isEnded,
  isSameGrant as isSame,
  parseGrants,
} from './grants.ts'
import { createSiteUses } from './site-uses.ts'

export const SITES_KEY = 'sites'
/** What was taken back while the record could not be written; it counts at once and is carried out with the next write. */
const REVOKED_KEY = 'sites.revoked'

const loadChanges = () => import('./grant-changes.ts')

/** Null stands for all. */
type Revoked = { [field in 'origin' | 'accountId' | 'network']: string | null }

/** A grant with when it was used last: 0 for not since that is kept. */
export type UsedGrant = Grant & { usedAt: number; endsAt: number | null }

/**
 * The origins that the person has connected; kept in local storage. Of a record that somebody else changed, none counts, and
 * none that has ended; such a one is taken off the record when that is noticed first, so that no clock brings it back.
 */
export function createSites(deps: {
  records: Records
  local: StorageArea
  now(): number
  /** When the wallet was unlocked; null while it is locked. */
  unlockedAt(): Promise<number | null>
  /** Days without a use that end a grant; null for never. */
  unusedDays(): Promise<number | null>
  report(error: unknown): void
}) {
  const { records, now } = deps
  const inTurn = createMutex()
  const uses = createSiteUses(deps)
  let isDropping = false

  return {
    list,
    async isGranted(origin: string, accountId: string, network: Network): Promise<boolean> {
      return (await list()).some(grant => isSame(grant, { origin, accountId, network }))
    },
    /** Whether any account has ever allowed this origin and not taken it back. */
    async isKnown(origin: string): Promise<boolean> {
      return (await list()).some(grant => grant.origin === origin)
    },
    /**
     * For as long as the term says, unless `assertStill` throws right before; what that resolves is stored in the same write.
     * Throws {@link RecordsLockedError} and {@link ChangedRecordError}.
     */
    grant(
      origin: string,
      accountId: string,
      network: Network,
      term: GrantTerm | null = null,
      assertStill: () => Promise<{ [key: string]: unknown } | undefined> = async () => undefined,
    ): Promise<void> {
      return inTurn(async () => {
        const grants = await list()
        const alongside = await assertStill()
        const limits = term && (await loadChanges()).limitGrant(term, await loadTimes())
        const fresh = { origin, accountId, network, at: now(), ...limits }
        await write([...grants.filter(other => !isSame(other, fresh)), fresh], alongside)
      })
    },
    /** Leave for what a site may see elsewhere, for no longer than it may see that. Throws as `grant` does. */
    extend: (from: GrantPlace, to: GrantPlace): Promise<void> =>
      change(async grants => (await loadChanges()).extendGrant(grants, from, to, now())),
    /** From now on a site's grants last as long as the term says. Throws as `grant` does. */
    limit: (origin: string, term: GrantTerm): Promise<void> =>
      change(async grants =>
        (await loadChanges()).limitSite(grants, origin, term, await loadTimes()),
      ),
    /** Keeps that a site uses what it may see, at most once an hour; to be called where nobody waits. */
    noteUse: (place: GrantPlace): void => void uses.note(place, list).catch(deps.report),
    /** When the next one ends if nothing changes; null for none. A lock may end others. */
    async nextEnd(): Promise<number | null> {
      const ends = (await listUsed()).flatMap(({ endsAt }) => endsAt ?? [])
      return ends.length === 0 ? null : Math.min(...ends)
    },
    /** Those that count, with when each was used last and when it ends if nothing changes. */
    listUsed,
    revoke(origin: string, accountId: string, network: Network): Promise<void> {
      return revoke({ origin, accountId, network })
    },
    revokeAll(origin: string): Promise<void> {
      return revoke({ origin, accountId: null, network: null })
    },
    /** Of every site, in one write. */
    revokeEverything(): Promise<void> {
      return revoke({ origin: null, accountId: null, network: null })
    },
    /**
     * Carries out what was taken back while the wallet was locked, once it is open: until then somebody who writes to storage
     * could give it back. Leaves a record alone that somebody else changed.
     */
    settle(): Promise<void> {
      return inTurn(async () => {
        if ((await loadRevoked()).length > 0) await write(await list()).catch(ignoreClosed)
      })
    },
    /** Runs a task while nobody else writes here. */
    hold: inTurn,
    /** What storage holds with these grants too; what was taken back stays so. */
    async entriesWith(added: readonly Grant[]) {
      const grants = await list()
      const fresh = added.filter(one => !grants.some(grant => isSame(grant, one)))
      return { [SITES_KEY]: [...grants, ...fresh], [REVOKED_KEY]: [] }
    },
    /** What storage holds once one account is part of another. */
    async entriesJoined(from: string, to: string) {
      const kept = (await loadChanges()).joinGrants(await list(), from, to)
      return { [SITES_KEY]: kept, [REVOKED_KEY]: [] }
    },
    /** What an account had allowed, on every network; nothing is allowed before `then` has run. */
    revokeAccount(accountId: string, then?: () => Promise<void>): Promise<void> {
      return revoke({ origin: null, accountId, network: null }, then)
    },
  }

  async function loadTimes() {
    return { now: now(), unlockedAt: await deps.unlockedAt() }
  }

  async function list(): Promise<readonly Grant[]> {
    const { live, ended } = await read()
    if (ended.length > 0 && !isDropping) dropEnded()
    return live
  }

  async function listUsed(): Promise<UsedGrant[]> {
    const [grants, known] = await Promise.all([list(), uses.load()])
    const unusedDays = await deps.unusedDays()
    return grants.map(grant => {
      const usedAt = uses.usedAt(known, grant)
      return { ...grant, usedAt, endsAt: endOfGrant(grant, { unusedDays, usedAt }) }
    })
  }

  /** Of those that are on the record, the ones that count and the ones that have ended by themselves. */
  async function read(): Promise<{ live: readonly Grant[]; ended: readonly Grant[] }> {
    const [{ stored, isChanged }, revoked, unusedDays] = await Promise.all([
      records.read(SITES_KEY),
      loadRevoked(),
      deps.unusedDays(),
    ])
    if (isChanged) return { live: [], ended: [] }
    const given = parseGrants(stored).filter(grant => !revoked.some(one => isRevoked(grant, one)))
    const known = unusedDays === null ? {} : await uses.load()
    const needsLock = given.some(grant => grant.unlockedAt !== undefined)
    const unlockedAt = needsLock ? await deps.unlockedAt() : null
    const ended = given.filter(grant =>
      isEnded(grant, { now: now(), unlockedAt, unusedDays, usedAt: uses.usedAt(known, grant) }),
    )
    return { live: given.filter(grant => !ended.includes(grant)), ended }
  }

  /** In the background, as whoever asks about a site does not wait for it. */
  function dropEnded(): void {
    isDropping = true
    inTurn(async () => {
      const { live, ended } = await read()
      if (ended.length === 0) return
      const places = ended.map(({ origin, accountId, network }) => ({ origin, accountId, network }))
      await writeOrRevoke(live, places)
    })
      .catch(deps.report)
      .finally(() => {
        isDropping = false
      })
  }

  function change(edit: (grants: readonly Grant[]) => Promise<readonly Grant[]>): Promise<void> {
    return inTurn(async () => write(await edit(await list())))
  }

  /** Taking back works always, also while the wallet is locked. */
  function revoke(one: Revoked, then?: () => Promise<void>): Promise<void> {
    return inTurn(async () => {
      await writeOrRevoke(
        (await list()).filter(grant => !isRevoked(grant, one)),
        [one],
      )
      await then?.()
    })
  }

  /** Stores what is left, or, where the record cannot be written, what is not. */
  async function writeOrRevoke(left: readonly Grant[], gone: readonly Revoked[]): Promise<void> {
    try {
      await write(left)
    } catch (error) {
      ignoreClosed(error)
      await records.write({ [REVOKED_KEY]: [...(await loadRevoked()), ...gone] })
    }
  }

  function write(grants: readonly Grant[], alongside = {}): Promise<void> {
    return records.write({ ...alongside, [SITES_KEY]: grants, [REVOKED_KEY]: [] })
  }

  async function loadRevoked(): Promise<readonly Revoked[]> {
    const { stored } = await records.read(REVOKED_KEY)
    return Array.isArray(stored) ? stored.map(one => Object(one)) : []
  }
}

export type Sites = ReturnType<typeof createSites>

/** Throws what is no word of records that are locked or that somebody else changed. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof RecordsLockedError || error instanceof ChangedRecordError)) throw error
}

function isRevoked(grant: Grant, { origin, accountId, network }: Revoked): boolean {
  return (
    (origin ?? grant.origin) === grant.origin &&
    (accountId ?? grant.accountId) === grant.accountId &&
    (network ?? grant.network) === grant.network
  )
}
