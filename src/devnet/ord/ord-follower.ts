import type { BlockRecord } from '../chain/chain.ts'
import { followBlocks, type IndexFollower } from '../mempool/index-follower.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import type { OrdBlock } from './inscriptions/output-set.ts'
import { createOrdIndex, type OrdIndex } from './ord-index.ts'

const JUBILEE_HEIGHT = 110

/** ord's index, kept at the tip of a network. */
export type OrdFollower = IndexFollower<OrdIndex>

export function followOrd(network: LocalNetwork, indexSats: boolean): OrdFollower {
  const index = createOrdIndex({ jubileeHeight: JUBILEE_HEIGHT, indexSats })
  return followBlocks(network, index, block => index.applyBlock(toOrdBlock(block)))
}

function toOrdBlock({ height, timestamp, transactions }: BlockRecord): OrdBlock {
  return { height, time: timestamp, transactions }
}
