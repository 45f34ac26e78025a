import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'

/** A change address that a request of a site has until it is decided, by the request's key. */
export type ChangePlan = { key: string; index: number }

/** A device takes minutes. */
const TTL_MS = 45 * 60_000

/** Which change addresses are kept for requests, in session storage. Callers take turns. */
export function createChangePlans({ session, now }: { session: StorageArea; now(): number }) {
  return {
    async load(network: Network, accountId: string): Promise<ChangePlan[]> {
      return (await loadStored(network, accountId)).map(({ key, index }) => ({ key, index }))
    },

    /** Adds one, or replaces that of the same key. */
    async put(network: Network, accountId: string, plan: ChangePlan): Promise<void> {
      const stored = await loadStored(network, accountId)
      const others = stored.filter(({ key }) => key !== plan.key)
      await session.set({ [keyOf(network, accountId)]: [...others, { ...plan, at: now() }] })
    },

    forget: (accountId: string, networks: readonly Network[]): Promise<void> =>
      session.remove(networks.map(network => keyOf(network, accountId))),
  }

  async function loadStored(network: Network, accountId: string) {
    // Written by this module only.
    const stored = (await session.get(keyOf(network, accountId))) as
      | (ChangePlan & { at: number })[]
      | undefined
    return (stored ?? []).filter(({ at }) => now() - at < TTL_MS)
  }
}

function keyOf(network: Network, accountId: string): string {
  return `changePlans.${network}.${accountId}`
}
