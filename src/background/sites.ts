import type { Network } from '../bitcoin/network.ts'
import type { StorageArea } from '../storage/storage-area.ts'

/** Leave of one origin to see and ask one account on one network. */
export type Grant = { origin: string; accountId: string; network: Network; at: number }

const STORAGE_KEY = 'sites'

/** The origins that the person has connected; kept in local storage. */
export function createSites({ local, now }: { local: StorageArea; now(): number }) {
  let grants: Grant[] | null = null

  return {
    list,
    async isGranted(origin: string, accountId: string, network: Network): Promise<boolean> {
      return (await list()).some(grant => isSame(grant, { origin, accountId, network }))
    },
    /** Whether any account has ever allowed this origin and not taken it back. */
    async isKnown(origin: string): Promise<boolean> {
      return (await list()).some(grant => grant.origin === origin)
    },
    async grant(origin: string, accountId: string, network: Network): Promise<void> {
      const others = (await list()).filter(other => !isSame(other, { origin, accountId, network }))
      await write([...others, { origin, accountId, network, at: now() }])
    },
    async revokeAll(origin: string): Promise<void> {
      await write((await list()).filter(grant => grant.origin !== origin))
    },
    async revoke(origin: string, accountId: string, network: Network): Promise<void> {
      await write((await list()).filter(grant => !isSame(grant, { origin, accountId, network })))
    },
  }

  async function list(): Promise<readonly Grant[]> {
    grants ??= readGrants(await local.get(STORAGE_KEY))
    return grants
  }

  async function write(next: Grant[]): Promise<void> {
    grants = next
    await local.set({ [STORAGE_KEY]: next })
  }
}

export type Sites = ReturnType<typeof createSites>

function isSame(a: Omit<Grant, 'at'>, b: Omit<Grant, 'at'>): boolean {
  return a.origin === b.origin && a.accountId === b.accountId && a.network === b.network
}

function readGrants(value: unknown): Grant[] {
  return Array.isArray(value) ? value : []
}
