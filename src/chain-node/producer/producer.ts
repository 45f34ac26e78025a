import type { Hex } from '../codec/hex.ts'
import type { Header } from '../engine/block.ts'
import type { BlockTemplate } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'

/** The clock of blocks. */
export interface BlockClock {
  /** Seconds since 1970. */
  readonly now: bigint
  /** The time that was asked for the next block; null where none was. */
  readonly next: bigint | null
}

/** Makes blocks of what is pending, one at a time. */
export interface Producer {
  /** Makes one block now, with what there is, and gives it once it is the head and on the disk. */
  produce(): Promise<Header>
  /** What a block would be that is made now. */
  describeNext(): BlockTemplate
  /**
   * Of a node that makes blocks as transactions come: fulfilled when `transaction`, or else every pending one, waits no longer
   * for a block. It is in one then, or cannot be in one yet, or there was a fault, of which the node's log tells. At once for
   * other nodes.
   */
  settle(transaction?: Transaction): Promise<void>
  /** Seconds by which the clock of blocks goes ahead from now on, on top of what it does; gives all of them. Throws `RangeError` beyond 2^48. */
  moveTime(seconds: number): number
  /** Seconds since 1970 of the next block, from which the clock goes on. Throws `RangeError` where the head is not before it, or beyond 2^48. */
  setNextTime(timestamp: bigint): void
  clock(): BlockClock
  /** Lets the clock of blocks go on from there. */
  setClock(clock: BlockClock): void
  /** Who is paid by the blocks from now on. */
  setMiner(address: Hex): void
  /** Does something while no block is made. */
  betweenBlocks<T>(work: () => Promise<T>): Promise<T>
  /** Whether blocks are made as transactions come. */
  isAutomine(): boolean
  setAutomine(isOn: boolean): void
  /** Makes a block every so many seconds from now on, beside what else makes them; none for zero. */
  setBlockTime(seconds: number): void
  /** Why the last block could not be made or stored; null once one could, or nothing waits for one. */
  fault(): string | null
  /** Fulfilled when the block that is being made is stored; no other is begun. */
  stop(): Promise<void>
}
