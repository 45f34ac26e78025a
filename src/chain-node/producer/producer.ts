import type { Header } from '../engine/block.ts'

/** Makes blocks of what is pending, one at a time. */
export interface Producer {
  /** Makes one block now, with what there is, and gives it once it is the head and on the disk. */
  produce(): Promise<Header>
  /** Fulfilled when no pending transaction waits for a block of a node that makes them as transactions come; at once for other nodes. */
  settle(): Promise<void>
  /** Fulfilled when the block that is being made is stored; no other is begun. */
  stop(): Promise<void>
}
