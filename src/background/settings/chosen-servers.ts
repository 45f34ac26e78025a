import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import type { ServerUrls } from '../../chain/open/open-chain.ts'
import { DEFAULT_SERVERS } from '../../chain/open/servers.ts'
import { ChangedRecordError, type Records } from '../../storage/records.ts'
import type { ServerKind } from '../views/settings-views.ts'

export const SERVERS_KEY = 'servers'
export const SERVER_KEYS_KEY = 'serverKeys'

export const SERVER_KINDS: readonly ServerKind[] = [
  'chain',
  'secondChain',
  'assets',
  'secondAssets',
  'brc20',
  'atomicals',
  'fees',
  'price',
  'names',
]

/** The two servers of the same chain or index; from two that are one, nothing is gained. */
export const PAIRS: readonly (readonly [ServerKind, ServerKind])[] = [
  ['chain', 'secondChain'],
  ['assets', 'secondAssets'],
]

/** What the person chose; everything else is at its default. */
export type Chosen = { [N in Network]?: Partial<ServerUrls> }

/**
 * Which servers the person chose, which the background starts with: what opens, checks and changes them is `servers.ts`. All here but
 * what is shown throws {@link ChangedRecordError} while somebody else has changed that choice.
 */
export function createChosenServers({ records }: { records: Records }) {
  return {
    urls,
    load,
    readOwn,
    /** To be shown; the default where somebody else has changed the choice. */
    async chainServer(network: Network): Promise<{ url: string; custom: boolean }> {
      const url = (await load().catch(noneIfChanged))[network]?.chain
      return { url: url ?? DEFAULT_SERVERS[network].chain, custom: url !== undefined }
    },
  }

  async function urls(network: Network): Promise<ServerUrls> {
    const chosen = { ...DEFAULT_SERVERS[network], ...(await load())[network] }
    // A second one that is the first again would only ever agree with it.
    for (const [first, second] of PAIRS) if (chosen[second] === chosen[first]) chosen[second] = ''
    return chosen
  }

  async function load(): Promise<Chosen> {
    return parseChosen(await readOwn(SERVERS_KEY))
  }

  async function readOwn(key: string): Promise<unknown> {
    const { stored, isChanged } = await records.read(key)
    if (isChanged) throw new ChangedRecordError(key)
    return stored
  }
}

export type ChosenServers = ReturnType<typeof createChosenServers>

function noneIfChanged(error: unknown): Chosen {
  if (error instanceof ChangedRecordError) return {}
  throw error
}

/** The servers that were chosen, as they are stored. */
export function parseChosen(told: unknown): Chosen {
  const stored = Object(told)
  return Object.fromEntries(
    NETWORKS.filter(network => Object.hasOwn(stored, network)).map(network => [
      network,
      readChosen(stored[network]),
    ]),
  )
}

/** A network's stored choice; once it was the address of its chain server alone. */
function readChosen(stored: unknown): Partial<ServerUrls> {
  if (typeof stored === 'string') return { chain: stored }
  const fields = Object(stored)
  const chosen: Partial<ServerUrls> = {}
  for (const kind of SERVER_KINDS) if (typeof fields[kind] === 'string') chosen[kind] = fields[kind]
  return chosen
}
