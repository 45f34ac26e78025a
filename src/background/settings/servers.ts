// settings: What the person chose: preferences (`settings.ts`), the servers of each network, and how those are
// doing. It promises that other rooms reach servers only as sources opened here; it never reads keys, and sends no
// server more than a question needs.

import type { Network } from '../../bitcoin/network.ts'
import { parseServerUrl } from '../../chain/access/http.ts'
import { createServerAccess } from '../../chain/access/server-access.ts'
import type { AssetSource } from '../../chain/asset-source.ts'
import type { AtomicalsSource } from '../../chain/atomicals-source.ts'
import type { Brc20Apis, Brc20Source } from '../../chain/brc20-source.ts'
import type { NetworkChecks } from '../../chain/chain-source.ts'
import type { NameSource } from '../../chain/name-source.ts'
import type { WholeChain } from '../../chain/open/open-chain.ts'
import { DEFAULT_SERVERS } from '../../chain/open/servers.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { ChangedRecordError, Records } from '../../storage/records.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { ServerCheck, ServerKind, ServerState, ServerView } from '../views/settings-views.ts'
import {
  createChosenServers,
  PAIRS,
  SERVER_KEYS_KEY,
  SERVER_KINDS,
  SERVERS_KEY,
} from './chosen-servers.ts'

const APIS_KEY = 'serverApis'
const CHECKS_KEY = 'checkedServers'
const HEIGHTS_KEY = 'seenHeights'

/** Opens whatever serves a network, as one source of each kind. */
export type Sources = {
  chain(network: Network): Promise<WholeChain>
  /** The index of what sits on coins; of Atomicals too, where the person named an index of them. */
  assets(network: Network): Promise<AssetSource>
  /** The index of BRC-20; null where the person named none. */
  brc20(network: Network): Promise<Brc20Source | null>
  /** The index of Atomicals; null where the person named none. */
  atomicals(network: Network): Promise<AtomicalsSource | null>
  /** The DNS server for names that are paid; null where the person named none. */
  names(network: Network): Promise<NameSource | null>
}

/** A server that the person chose; `key` is an API key, null for none. */
export type ChosenServer = { network: Network; kind: ServerKind; url: string; key: string | null }

/** Keys of servers of BRC-20, each for one address and no other. */
type Keys = { [N in Network]?: { url: string; key: string } }

/**
 * The servers that each network is read from: the person's choice, else the default. None is opened while somebody else has
 * changed that choice: then all here that needs it throws {@link ChangedRecordError}.
 */
export function createServers({
  records,
  session,
  now,
  random,
}: {
  records: Records
  session: StorageArea
  now(): number
  random: RandomSource
}) {
  const { urls, load, readOwn } = createChosenServers({ records })
  const access = createServerAccess({ now, random })
  const checks = createNetworkChecks(session)
  const apis = createBrc20Apis(session)
  const openedChains = new Map<string, WholeChain>()
  const openedAssets = new Map<string, AssetSource>()
  const openedBrc20 = new Map<string, Brc20Source>()
  const openedAtomicals = new Map<string, AtomicalsSource>()
  const inTurn = createMutex()

  return {
    urls,
    /** Whatever serves a network's chain, as one source. */
    async open(network: Network): Promise<WholeChain> {
      const chosen = await urls(network)
      const key = JSON.stringify([network, chosen])
      const { openChain } = await import('../../chain/open/open-chain.ts')
      const chain = openedChains.get(key) ?? openChain(network, chosen, { access, checks })
      openedChains.set(key, chain)
      return chain
    },
    /** Whatever tells what sits on coins of a network, as one source. */
    async openAssets(network: Network): Promise<AssetSource> {
      const chosen = await urls(network)
      const key = JSON.stringify([network, chosen.assets, chosen.secondAssets, chosen.atomicals])
      const { openAssets } = await import('../../chain/open/open-assets.ts')
      const assets = openedAssets.get(key) ?? openAssets(network, chosen, { access, now })
      openedAssets.set(key, assets)
      return assets
    },
    /** Whatever tells of BRC-20 on a network; null where there is none. */
    async openBrc20(network: Network): Promise<Brc20Source | null> {
      const { brc20: url } = await urls(network)
      if (url === '') return null
      const key = await keyFor(network, url)
      const id = JSON.stringify([network, url, key])
      const { openBrc20 } = await import('../../chain/open/open-assets.ts')
      const source = openedBrc20.get(id) ?? openBrc20(network, url, { access, apis, key })
      openedBrc20.set(id, source)
      return source
    },
    /** Whatever tells of Atomicals on a network; null where there is none. */
    async openAtomicals(network: Network): Promise<AtomicalsSource | null> {
      const { atomicals: url } = await urls(network)
      if (url === '') return null
      const id = JSON.stringify([network, url])
      const { openAtomicals } = await import('../../chain/open/open-assets.ts')
      const source = openedAtomicals.get(id) ?? openAtomicals(network, url, { access })
      openedAtomicals.set(id, source)
      return source
    },
    /** Whatever reads the DNS for a network; null where there is none. */
    async openNames(network: Network): Promise<NameSource | null> {
      const { names: url } = await urls(network)
      if (url === '') return null
      const { openNames } = await import('../../chain/open/open-names.ts')
      return openNames(url, access)
    },
    async list(network: Network): Promise<ServerView[]> {
      const chosen = (await load())[network] ?? {}
      const key = await keyFor(network, chosen.brc20 ?? DEFAULT_SERVERS[network].brc20)
      return SERVER_KINDS.map(kind => {
        const defaultUrl = DEFAULT_SERVERS[network][kind]
        return {
          kind,
          url: chosen[kind] ?? defaultUrl,
          custom: kind in chosen,
          defaultUrl,
          hasKey: kind === 'brc20' && key !== null,
        }
      })
    },
    /**
     * Stores an address; an empty one goes back to the default. One that does not answer is stored all the same. `key` is
     * the key of a server of BRC-20: empty for none, null for the one that this address has already. Throws
     * InvalidServerUrlError, and -32602 for a server that follows another chain or is the other one of its kind already.
     */
    async set(
      network: Network,
      kind: ServerKind,
      text: string,
      key: string | null = null,
    ): Promise<void> {
      const url = text.trim() === '' ? null : parseServerUrl(text)
      const address = url ?? DEFAULT_SERVERS[network][kind]
      await assertOther(network, kind, address)
      if (url) await assertFitting(network, kind, url, key ?? (await keyFor(network, url)))
      await inTurn(async () => {
        // Another page may have chosen it meanwhile.
        await assertOther(network, kind, address)
        const chosen = await load()
        const { [kind]: _, ...others } = chosen[network] ?? {}
        const next = url ? { ...others, [kind]: url } : others
        await records.write({
          [SERVERS_KEY]: { ...chosen, [network]: next },
          // At once: an address is never stored without its key.
          ...(kind === 'brc20' && { [SERVER_KEYS_KEY]: await withKey(network, address, key) }),
        })
        await session.remove(HEIGHTS_KEY)
      })
    },
    /** Runs a task while nobody else writes here. */
    hold: inTurn,
    /** Every server that the person chose, with its API key. */
    async listChosen(): Promise<ChosenServer[]> {
      const keys = await loadKeys()
      return Object.entries(await load()).flatMap(([name, servers]) =>
        SERVER_KINDS.flatMap(kind => {
          const network = name as Network
          const url = servers[kind]
          if (url === undefined) return []
          const own = keys[network]
          const key = kind === 'brc20' && own?.url === url ? own.key : null
          return [{ network, kind, url, key }]
        }),
      )
    },
    /** What storage holds with these in the place of others of their kind. */
    async entriesWith(added: readonly ChosenServer[]): Promise<{ [key: string]: unknown }> {
      const chosen = { ...(await load()) }
      const keys = { ...(await loadKeys()) }
      for (const { network, kind, url, key } of added) {
        chosen[network] = { ...chosen[network], [kind]: url }
        if (kind !== 'brc20') continue
        delete keys[network]
        if (key !== null) keys[network] = { url, key }
      }
      return { [SERVERS_KEY]: chosen, [SERVER_KEYS_KEY]: keys }
    },
    /** `key` as in {@link set}. */
    async check(
      network: Network,
      kind: ServerKind,
      text: string,
      key: string | null = null,
    ): Promise<ServerCheck> {
      const url = parseServerUrl(text)
      const known = key ?? (await keyFor(network, url))
      const { checkServer } = await import('./server-states.ts')
      return checkServer({ network, kind, url, key: known || null, access, now })
    },
    /** How the servers of a network are doing, asked now, also those that are given a rest. */
    async states(network: Network): Promise<ServerState[]> {
      const chosen = await urls(network)
      const kinds = SERVER_KINDS.filter(kind => chosen[kind] !== '')
      const seen = Object(await session.get(HEIGHTS_KEY))
      const key = await keyFor(network, chosen.brc20)
      const { askState } = await import('./server-states.ts')
      const answers = await Promise.all(
        kinds.map(kind => askState({ network, kind, url: chosen[kind], key, access, now })),
      )
      // An index that claims blocks which no chain server has makes nobody else look old.
      const heights = answers.map(({ state: { kind, height } }) => (isChain(kind) && height) || 0)
      const highest = Math.max(...heights, Number(seen[network] ?? 0))
      await session.set({ [HEIGHTS_KEY]: { ...seen, [network]: highest } })
      return answers.map(({ state, isOld }) => {
        const isBehind = isOld || (state.height !== null && state.height <= highest - 2)
        return state.state === 'synced' && isBehind ? { ...state, state: 'behind' } : state
      })
    },
    /** The person wants an answer now: servers that are given a rest are asked again. */
    async resetBackoff(network: Network): Promise<void> {
      for (const url of Object.values(await urls(network))) if (url) access.resetBackoff(url)
    },
  }

  async function assertOther(network: Network, kind: ServerKind, address: string): Promise<void> {
    const twin = PAIRS.find(pair => pair.includes(kind))?.find(one => one !== kind)
    if (twin && address !== '' && address === (await urls(network))[twin])
      throw invalidParams('url', address, 'another server than the one that is there already')
  }

  async function assertFitting(
    network: Network,
    kind: ServerKind,
    url: string,
    key: string | null,
  ): Promise<void> {
    if (kind === 'fees' || kind === 'price' || kind === 'names') return
    const { askState } = await import('./server-states.ts')
    const { state } = await askState({ network, kind, url, key: key || null, access, now })
    if (state.state !== 'wrong-network') return
    throw invalidParams('url', url, `a server of ${network}; this one follows another chain`)
  }

  async function keyFor(network: Network, url: string): Promise<string | null> {
    const entry = (await loadKeys())[network]
    return entry?.url === url ? entry.key : null
  }

  async function withKey(network: Network, url: string, key: string | null): Promise<Keys> {
    const { [network]: before, ...others } = await loadKeys()
    const next = key === null && before?.url === url ? before.key : key
    return next ? { ...others, [network]: { url, key: next } } : others
  }

  /** Only this module writes it. */
  async function loadKeys(): Promise<Keys> {
    return Object((await readOwn(SERVER_KEYS_KEY)) ?? {})
  }
}

export type Servers = ReturnType<typeof createServers>

function isChain(kind: ServerKind): boolean {
  return kind === 'chain' || kind === 'secondChain'
}

export function isServerKind(value: unknown): value is ServerKind {
  return SERVER_KINDS.some(kind => kind === value)
}

/** Kept until the browser closes, so that another worker does not ask again. */
function createNetworkChecks(session: StorageArea): NetworkChecks {
  const inTurn = createMutex()
  const load = async (): Promise<string[]> => {
    const stored = await session.get(CHECKS_KEY)
    return Array.isArray(stored) ? stored : []
  }
  /** So that not every request reads storage first. */
  const known = new Set<string>()
  return {
    async has(network, url) {
      const name = `${network} ${url}`
      if (known.has(name)) return true
      if ((await load()).includes(name)) known.add(name)
      return known.has(name)
    },
    add: (network, url) =>
      inTurn(async () => {
        const others = (await load()).filter(entry => entry !== `${network} ${url}`)
        await session.set({ [CHECKS_KEY]: [...others, `${network} ${url}`] })
      }),
  }
}

/** Kept until the browser closes, like the checks. */
function createBrc20Apis(session: StorageArea): Brc20Apis {
  const inTurn = createMutex()
  return {
    find: async url => Object((await session.get(APIS_KEY)) ?? {})[url] ?? null,
    keep: (url, api) =>
      inTurn(async () => {
        const others = Object((await session.get(APIS_KEY)) ?? {})
        await session.set({ [APIS_KEY]: { ...others, [url]: api } })
      }),
  }
}

/** Chain servers that show a transaction to people beside their API, on the same host. */
const EXPLORERS = ['mempool.space', 'blockstream.info']

/** Where a transaction can be looked at, from the API address of a chain server; null for servers that are not known to show any. */
export function explorerUrlOf(serverUrl: string, network: Network, txid: string): string | null {
  if (network === 'regtest' || !URL.canParse(serverUrl)) return null
  const { protocol, host, pathname } = new URL(serverUrl)
  const path = /^(\/[a-z0-9]+)?\/api\/?$/.exec(pathname)
  if (protocol !== 'https:' || !EXPLORERS.includes(host) || !path) return null
  return `https://${host}${path[1] ?? ''}/tx/${txid}`
}
