import type { BlockRecord } from '../chain/chain.ts'
import type { LocalNetwork } from './local-network.ts'

/** An index of blocks that can take the newest ones back. */
export interface BlockIndex {
  /** Of the last block. */
  height(): number
  undoBlock(): void
}

/** An index, kept at the tip of a network. */
export interface IndexFollower<Index> {
  index: Index
  /** Looks at the index as it was when the newest `staleBlocks` blocks had not been read yet. */
  readAt<Result>(staleBlocks: number, read: (index: Index) => Result): Result
}

/** Applies every block that the network connects from now on, so it must be called before the chain is read. */
export function followBlocks<Index extends BlockIndex>(
  network: LocalNetwork,
  index: Index,
  apply: (block: BlockRecord) => void,
): IndexFollower<Index> {
  network.subscribe(event => {
    if (event.type === 'connected') apply(event.block)
    if (event.type === 'disconnected') index.undoBlock()
  })
  return {
    index,
    readAt(staleBlocks, read) {
      const first = Math.max(0, index.height() - staleBlocks) + 1
      const blocks: BlockRecord[] = []
      for (let height = first; height <= index.height(); height++) {
        const block = network.chain.block(height)
        if (block) blocks.push(block)
      }
      for (const _ of blocks) index.undoBlock()
      try {
        return read(index)
      } finally {
        for (const block of blocks) apply(block)
      }
    },
  }
}
