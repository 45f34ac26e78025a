import type { Network } from '../../bitcoin/network.ts'
import type { AssetSource } from '../asset-source.ts'
import { createAtomicals } from '../atomicals/atomicals.ts'
import type { AtomicalsDeps } from '../atomicals/atomicals-reader.ts'
import type { AtomicalsSource } from '../atomicals-source.ts'
import { type Brc20Deps, createBrc20Server } from '../brc20/brc20-server.ts'
import type { Brc20Source } from '../brc20-source.ts'
import { createOrd, type OrdDeps } from '../ord/ord.ts'
import { createJoinedAssets } from './joined-assets.ts'
import type { ServerUrls } from './open-chain.ts'
import { createPairedAssets } from './paired-assets.ts'

type AssetUrls = Pick<ServerUrls, 'assets' | 'secondAssets'> &
  Partial<Pick<ServerUrls, 'atomicals'>>

/** All that is asked of a network's indexes of assets, whatever servers are behind it; of Atomicals only where there is one. */
export function openAssets(
  network: Network,
  { assets, secondAssets, atomicals }: AssetUrls,
  deps: OrdDeps,
): AssetSource {
  const first = createOrd(network, assets, deps)
  const source = secondAssets
    ? createPairedAssets(first, createOrd(network, secondAssets, deps))
    : first
  return atomicals ? createJoinedAssets(source, createAtomicals(network, atomicals, deps)) : source
}

/** The Atomicals server at `url`. */
export function openAtomicals(network: Network, url: string, deps: AtomicalsDeps): AtomicalsSource {
  return createAtomicals(network, url, deps)
}

/** The BRC-20 server at `url`, whichever of the known interfaces it has. */
export function openBrc20(network: Network, url: string, deps: Brc20Deps): Brc20Source {
  return createBrc20Server(network, url, deps)
}
