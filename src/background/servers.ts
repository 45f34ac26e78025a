import { isNetwork, type Network } from '../bitcoin/network.ts'
import { parseServerUrl } from '../chain/http.ts'
import { DEFAULT_ESPLORA } from '../chain/servers.ts'
import type { StorageArea } from '../storage/storage-area.ts'

const STORAGE_KEY = 'servers'

/** The server that each network is read from: the person's choice, else the default. */
export function createServers({ local }: { local: StorageArea }) {
  return {
    async esplora(network: Network): Promise<{ esploraUrl: string; custom: boolean }> {
      const chosen = (await load())[network]
      return { esploraUrl: chosen ?? DEFAULT_ESPLORA[network], custom: chosen !== undefined }
    },
    /** Stores a checked address; an empty text goes back to the default. Throws InvalidServerUrlError. */
    async setEsplora(network: Network, text: string): Promise<void> {
      const { [network]: _, ...others } = await load()
      const next = text.trim() === '' ? others : { ...others, [network]: parseServerUrl(text) }
      await local.set({ [STORAGE_KEY]: next })
    },
  }

  async function load(): Promise<{ [N in Network]?: string }> {
    const stored = await local.get(STORAGE_KEY)
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(
      Object.entries(stored).filter(([key, url]) => isNetwork(key) && typeof url === 'string'),
    )
  }
}

export type Servers = ReturnType<typeof createServers>
