import { followBlocks, type IndexFollower } from '../mempool/index-follower.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { type AtomicalsIndex, createAtomicalsIndex } from './atomicals-index.ts'

/** The index of Atomicals, kept at the tip of a network. */
export type AtomicalsFollower = IndexFollower<AtomicalsIndex>

export function followAtomicals(network: LocalNetwork): AtomicalsFollower {
  const index = createAtomicalsIndex()
  return followBlocks(network, index, index.applyBlock)
}
