import { isNetwork, type Network } from '../../bitcoin/network.ts'
import { ChangedRecordError, type Records, RecordsLockedError } from '../../storage/records.ts'
import { createMutex } from '../primitives/mutex.ts'

/** Leave of one origin to see and ask one account on one network. */
export type Grant = { origin: string; accountId: string; network: Network; at: number }

export const SITES_KEY = 'sites'
/** What was taken back while the record could not be written; it counts at once and is carried out with the next write. */
const REVOKED_KEY = 'sites.revoked'

/** Null stands for all. */
type Revoked = { [field in 'origin' | 'accountId' | 'network']: string | null }

/** The origins that the person has connected; kept in local storage. Of a record that somebody else changed, none counts. */
export function createSites({ records, now }: { records: Records; now(): number }) {
  const inTurn = createMutex()

  return {
    list,
    async isGranted(origin: string, accountId: string, network: Network): Promise<boolean> {
      return (await list()).some(grant => isSame(grant, { origin, accountId, network }))
    },
    /** Whether any account has ever allowed this origin and not taken it back. */
    async isKnown(origin: string): Promise<boolean> {
      return (await list()).some(grant => grant.origin === origin)
    },
    /** Throws {@link RecordsLockedError} and {@link ChangedRecordError}. */
    grant(origin: string, accountId: string, network: Network): Promise<void> {
      const fresh = { origin, accountId, network, at: now() }
      return inTurn(async () =>
        write([...(await list()).filter(other => !isSame(other, fresh)), fresh]),
      )
    },
    revoke(origin: string, accountId: string, network: Network): Promise<void> {
      return revoke({ origin, accountId, network })
    },
    revokeAll(origin: string): Promise<void> {
      return revoke({ origin, accountId: null, network: null })
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
    /**
     * What storage holds once one account is part of another: a site that may see both on a network may see them together, and any
     * other has not been allowed to.
     */
    async entriesJoined(from: string, to: string) {
      const grants = await list()
      const isOfBoth = ({ origin, network }: Grant) =>
        [from, to].every(accountId =>
          grants.some(grant => isSame(grant, { origin, accountId, network })),
        )
      const kept = grants.filter(
        grant => grant.accountId !== from && (grant.accountId !== to || isOfBoth(grant)),
      )
      return { [SITES_KEY]: kept, [REVOKED_KEY]: [] }
    },
    /** What an account that is removed had allowed, on every network. */
    revokeAccount(accountId: string): Promise<void> {
      return revoke({ origin: null, accountId, network: null })
    },
  }

  async function list(): Promise<readonly Grant[]> {
    const { stored, isChanged } = await records.read(SITES_KEY)
    if (isChanged) return []
    const revoked = await loadRevoked()
    return parseGrants(stored).filter(grant => !revoked.some(one => isRevoked(grant, one)))
  }

  /** Taking back works always, also while the wallet is locked. */
  function revoke(one: Revoked): Promise<void> {
    return inTurn(async () => {
      try {
        await write((await list()).filter(grant => !isRevoked(grant, one)))
      } catch (error) {
        ignoreClosed(error)
        await records.write({ [REVOKED_KEY]: [...(await loadRevoked()), one] })
      }
    })
  }

  function write(grants: readonly Grant[]): Promise<void> {
    return records.write({ [SITES_KEY]: grants, [REVOKED_KEY]: [] })
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

function isSame(a: Omit<Grant, 'at'>, b: Omit<Grant, 'at'>): boolean {
  return a.origin === b.origin && a.accountId === b.accountId && a.network === b.network
}

/** Grants as they are stored, without what is none. */
export function parseGrants(stored: unknown): Grant[] {
  return Array.isArray(stored) ? stored.filter(isGrant) : []
}

function isRevoked(grant: Grant, { origin, accountId, network }: Revoked): boolean {
  return (
    (origin ?? grant.origin) === grant.origin &&
    (accountId ?? grant.accountId) === grant.accountId &&
    (network ?? grant.network) === grant.network
  )
}

function isGrant(value: unknown): value is Grant {
  const { origin, accountId, network, at } = Object(value)
  return (
    typeof origin === 'string' &&
    typeof accountId === 'string' &&
    isNetwork(network) &&
    typeof at === 'number'
  )
}
