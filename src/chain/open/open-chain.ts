// open: puts the servers of a network together as one source. With two servers of a kind, what only one of them
// says never makes a coin clean or a payment dear. This is where adapters are made; other rooms get ports.

import type { Network } from '../../bitcoin/network.ts'
import { hostOf } from '../access/http.ts'
import {
  BackendUnavailableError,
  type ChainServer,
  type ChainSource,
  type FeeReferenceSource,
  type FeeSource,
  type PriceSource,
} from '../chain-source.ts'
import { createEsplora, type EsploraDeps } from '../esplora/esplora.ts'
import { createFeeSource, createPriceSource } from '../esplora/mempool-space.ts'
import { createRecentBlocks } from '../esplora/recent-blocks.ts'
import { createPairedChain, createPairedFees } from './paired-chain.ts'

/** Addresses of the servers of a network; all but `chain` and `assets` may be empty. */
export type ServerUrls = {
  chain: string
  secondChain: string
  assets: string
  secondAssets: string
  brc20: string
  atomicals: string
  fees: string
  price: string
  names: string
}

type ChainUrls = Omit<ServerUrls, 'assets' | 'secondAssets' | 'brc20' | 'atomicals' | 'names'>

export type WholeChain = ChainSource &
  FeeSource &
  FeeReferenceSource &
  PriceSource & {
    /** Each chain server alone, the first one first: for what one of them may know and the other not. */
    servers: readonly ChainServer[]
  }

/** All that is asked of a network, whatever servers are behind it. */
export function openChain(network: Network, urls: ChainUrls, deps: EsploraDeps): WholeChain {
  const { chain, secondChain } = urls
  const urlsOfChain = [chain, ...(secondChain ? [secondChain] : [])]
  const isOneHost = secondChain !== '' && hostOf(chain) === hostOf(secondChain)
  const servers = urlsOfChain.map(url => ({
    host: isOneHost ? hostOf(url) + new URL(url).pathname : hostOf(url),
    source: createEsplora(network, url, deps),
  }))
  const [first, second] = servers
  if (!first) throw new Error('chain: expected the address of a server')
  const source = second ? createPairedChain(first, second) : first.source
  return {
    ...source,
    servers,
    ...createRecentBlocks(source),
    ...openFees(urls, deps),
    ...openPrices(urls, deps),
  }
}

/**
 * Fee rates of the server for them; of the chain servers where there is none, or it does not answer. What the chain servers
 * say is held against the named server's rates: it must not make payments dear alone.
 */
function openFees(
  { chain, secondChain, fees }: ChainUrls,
  { access }: EsploraDeps,
): FeeSource & Pick<FeeReferenceSource, 'fetchOtherFastest'> {
  const first = createFeeSource(chain, access)
  const ofChain = secondChain
    ? createPairedFees(first, createFeeSource(secondChain, access))
    : first
  if (!fees) return { ...ofChain, fetchOtherFastest: async () => null }
  const named = createFeeSource(fees, access)
  return {
    fetchFeeRates: () =>
      named.fetchFeeRates().catch(cause => {
        if (cause instanceof BackendUnavailableError) return ofChain.fetchFeeRates()
        throw cause
      }),
    fetchOtherFastest: async () => (await ofChain.fetchFeeRates()).fastest,
  }
}

function openPrices({ chain, price }: ChainUrls, { access }: EsploraDeps): PriceSource {
  return createPriceSource(price || chain, access)
}
