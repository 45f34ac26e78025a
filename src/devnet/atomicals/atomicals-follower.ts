import type { BlockRecord } from '../chain.ts'
import type { LocalNetwork } from '../local-network.ts'
import { type AtomicalsIndex, createAtomicalsIndex } from './atomicals-index.ts'

/** The index of Atomicals, kept at the tip of a network. */
export interface AtomicalsFollower {
  index: AtomicalsIndex
  /** Looks at the index as it was when the newest `staleBlocks` blocks had not been read yet. */
  readAt<Result>(staleBlocks: number, look: (index: AtomicalsIndex) => Result): Result
}

/** Reads every block that the network connects from now on, so it must be called before the chain is read. */
export function followAtomicals(network: LocalNetwork): AtomicalsFollower {
  const index = createAtomicalsIndex()
  network.subscribe(event => {
    if (event.type === 'connected') index.applyBlock(event.block)
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
        for (const block of blocks) index.applyBlock(block)
      }
    },
  }
}
