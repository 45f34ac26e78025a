import { isNetwork, type Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'

/** Leave of one origin to see and ask one account on one network. */
export type Grant = { origin: string; accountId: string; network: Network; at: number }

const STORAGE_KEY = 'sites'

/** The origins that the person has connected; kept in local storage. */
export function createSites({ local, now }: { local: StorageArea; now(): number }) {
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
    grant(origin: string, accountId: string, network: Network): Promise<void> {
      const fresh = { origin, accountId, network, at: now() }
      return change(grants => [...grants.filter(other => !isSame(other, fresh)), fresh])
    },
    revoke(origin: string, accountId: string, network: Network): Promise<void> {
      const given = { origin, accountId, network }
      return change(grants => grants.filter(grant => !isSame(grant, given)))
    },
    revokeAll(origin: string): Promise<void> {
      return change(grants => grants.filter(grant => grant.origin !== origin))
    },
    /** What an account that is removed had allowed, on every network. */
    revokeAccount(accountId: string): Promise<void> {
      return change(grants => grants.filter(grant => grant.accountId !== accountId))
    },
  }

  async function list(): Promise<readonly Grant[]> {
    const stored = await local.get(STORAGE_KEY)
    return Array.isArray(stored) ? stored.filter(isGrant) : []
  }

  function change(next: (grants: readonly Grant[]) => Grant[]): Promise<void> {
    return inTurn(async () => local.set({ [STORAGE_KEY]: next(await list()) }))
  }
}

export type Sites = ReturnType<typeof createSites>

function isSame(a: Omit<Grant, 'at'>, b: Omit<Grant, 'at'>): boolean {
  return a.origin === b.origin && a.accountId === b.accountId && a.network === b.network
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
