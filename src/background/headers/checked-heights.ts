import type { Network } from '../../bitcoin/network.ts'
import type { WholeChain } from '../../chain/open/open-chain.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'

/** Also what our pages look at, to ask again for what depends on it. */
const KEY = 'checkedHeights'

type Stored = { [network in Network]?: number }

/**
 * Of each network whose server shows newest blocks that do not pass: the height up to which they did. What is confirmed above it
 * counts as not confirmed. In local storage, so that another worker knows it without a request.
 */
export function createCheckedHeights({ local }: { local: StorageArea }) {
  const inTurn = createMutex()

  return {
    /** Null while the blocks pass, and where none were ever checked. */
    async load(network: Network): Promise<number | null> {
      return (await loadAll())[network] ?? null
    },

    /** Those whose blocks do not pass. */
    async listNetworks(): Promise<Network[]> {
      return Object.keys(await loadAll()) as Network[]
    },

    set(network: Network, height: number | null): Promise<void> {
      return inTurn(async () => {
        const { [network]: before = null, ...others } = await loadAll()
        if (height === before) return
        await local.set({ [KEY]: height === null ? others : { ...others, [network]: height } })
      })
    },
  }

  async function loadAll(): Promise<Stored> {
    return Object((await local.get(KEY)) ?? {})
  }
}

export type CheckedHeights = ReturnType<typeof createCheckedHeights>

/** Opens chains in which nothing above the checked height is confirmed, where there is one. Asks no server for that. */
export function limitToChecked(
  open: (network: Network) => Promise<WholeChain>,
  checkedHeights: Pick<CheckedHeights, 'load'>,
) {
  return async (network: Network): Promise<WholeChain> => {
    const [chain, height] = await Promise.all([open(network), checkedHeights.load(network)])
    if (height === null) return chain
    const { limitConfirmations } = await import('../../chain/limited-chain.ts')
    return limitConfirmations(chain, height)
  }
}
