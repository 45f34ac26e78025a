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

    /** Those of a request from now on. */
    async put(
      network: Network,
      accountId: string,
      key: string,
      indexes: readonly number[],
    ): Promise<void> {
      const others = (await loadStored(network, accountId)).filter(plan => plan.key !== key)
      const own = indexes.map(index => ({ key, index, at: now() }))
      await session.set({ [keyOf(network, accountId)]: [...others, ...own] })
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

/**
 * So many indexes, of those that are `free` (best first), for a request: those that it has, then those that no other one has. Where
 * there are too few, the last of them stands for the others.
 */
export function chooseForChange(
  free: readonly number[],
  plans: readonly ChangePlan[],
  key: string | null,
  count: number,
): number[] {
  const own = plans.flatMap(plan => (plan.key === key ? plan.index : []))
  const fresh = listUnplanned(free, plans, key).filter(index => !own.includes(index))
  const chosen = [...own, ...fresh]
  const last = chosen.at(-1) ?? free[0] ?? 0
  return Array.from({ length: Math.max(count, own.length) }, (_, at) => chosen[at] ?? last)
}

/** Those that no other request has. */
export function listUnplanned(
  free: readonly number[],
  plans: readonly ChangePlan[],
  key: string | null,
): number[] {
  const others = new Set(plans.flatMap(plan => (plan.key === key ? [] : plan.index)))
  return free.filter(index => !others.has(index))
}

function keyOf(network: Network, accountId: string): string {
  return `changePlans.${network}.${accountId}`
}
