import type { Network } from '../bitcoin/network.ts'
import type { AssetSource } from './asset-source.ts'
import type { ServerUrls } from './open-chain.ts'
import { createOrd, type OrdDeps } from './ord.ts'
import { createPairedAssets } from './paired-assets.ts'

/** All that is asked of a network's indexes of assets, whatever servers are behind it. */
export function openAssets(
  network: Network,
  { assets, secondAssets }: Pick<ServerUrls, 'assets' | 'secondAssets'>,
  deps: OrdDeps,
): AssetSource {
  const first = createOrd(network, assets, deps)
  return secondAssets ? createPairedAssets(first, createOrd(network, secondAssets, deps)) : first
}
