import type { BlockRecord } from '../chain.ts'
import type { LocalNetwork } from '../local-network.ts'
import { createOrdIndex, type OrdBlock, type OrdIndex } from './ord-index.ts'

const JUBILEE_HEIGHT = 110

/** ord's index, kept at the tip of a network. */
export interface OrdFollower {
  index: OrdIndex
  /** Looks at the index as it was when the newest `staleBlocks` blocks had not been read yet. */
  readAt<Result>(staleBlocks: number, look: (index: OrdIndex) => Result): Result
}

/** Reads every block that the network connects from now on, so it must be called before the chain is read. */
export function followOrd(network: LocalNetwork): OrdFollower {
  const index = createOrdIndex({ jubileeHeight: JUBILEE_HEIGHT })
  network.subscribe(event => {
    if (event.type === 'connected') index.applyBlock(toOrdBlock(event.block))
    if (event.type === 'disconnected') index.undoBlock()
  })
  return {
    index,
    readAt(staleBlocks, look) {
      const first = Math.max(0, index.height() - staleBlocks) + 1
      const blocks: BlockRecord[] = []
      for (let height = first; height <= index.height(); height++) {
        const block = network.chain.block(height)
        if (block) blocks.push(block)
      }
      for (const _ of blocks) index.undoBlock()
      try {
        return look(index)
      } finally {
        for (const block of blocks) index.applyBlock(toOrdBlock(block))
      }
    },
  }
}

export function toOrdBlock({ height, timestamp, transactions }: BlockRecord): OrdBlock {
  return { height, time: timestamp, transactions }
}
