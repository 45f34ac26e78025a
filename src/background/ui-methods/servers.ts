import type { Network } from '../../bitcoin/network.ts'
import { invalidParams, ProviderError } from '../../provider/errors.ts'
import { parseString } from '../../provider/params.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { CoinAssetStore } from '../coins/coin-assets.ts'
import { type ChainStateParts, checkChain } from '../headers/chain-state.ts'
import type { Announcer } from '../requests/pages.ts'
import { isServerKind, type Servers } from '../settings/servers.ts'
import type { ServerKind } from '../views/settings-views.ts'
import { parseNetworkName } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type ServerMethodParts = Announcer &
  ChainStateParts & {
    servers: Pick<Servers, 'list' | 'check' | 'set' | 'states'>
    accounts: Pick<Accounts, 'network' | 'selectNetwork'>
    coinAssets: Pick<CoinAssetStore, 'forgetAnswers'>
  }

/** Servers that say what sits on coins. */
const ASSET_SERVERS: readonly ServerKind[] = ['assets', 'secondAssets', 'atomicals']

/**
 * The network in use and the servers of each network. A server that answers for another chain is refused; one that does not
 * answer is stored all the same. The key of a server goes in and never comes back, nor does an error quote it.
 */
export const serverMethods = {
  /** Requests of sites that wait for another network end with 4100. */
  async selectNetwork({ wallet }, { network }) {
    await wallet.accounts.selectNetwork(parseNetworkName(network))
    wallet.announce()
    return null
  },

  async getServers({ wallet }, { network }) {
    return wallet.servers.list(parseNetworkName(network))
  },

  async checkServer({ wallet }, params) {
    const { network, kind, url, key } = parseServer(params)
    return wallet.servers.check(network, kind, url, key)
  },

  /** Another server of what sits on coins is asked about every coin again. */
  async setServer({ wallet }, params) {
    const { network, kind, url, key } = parseServer(params)
    await wallet.servers.set(network, kind, url, key)
    if (ASSET_SERVERS.includes(kind)) await wallet.coinAssets.forgetAnswers()
    wallet.announce()
    return null
  },

  async getServerStates({ wallet }) {
    return wallet.servers.states(await wallet.accounts.network())
  },

  async getChainState({ wallet }) {
    return checkChain(wallet, await wallet.accounts.network())
  },
} satisfies UiMethodsOf<ServerMethodParts>

function parseServer(params: { network: unknown; kind: unknown; url: unknown; key?: unknown }): {
  network: Network
  kind: ServerKind
  url: string
  key: string | null
} {
  const network = parseNetworkName(params.network)
  const { kind } = params
  if (!isServerKind(kind)) throw invalidParams('kind', kind, 'a kind of server')
  return { network, kind, url: parseString('url', params.url, 500), key: parseKey(params.key) }
}

/** What an HTTP header can hold; null for none. The error does not quote the key. */
function parseKey(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const key = typeof value === 'string' ? value.trim() : null
  if (key !== null && /^[\x21-\x7e]{0,500}$/.test(key)) return key
  throw new ProviderError(-32602, 'key: expected at most 500 letters, digits and signs')
}
