import type { Hex } from '../codec/hex.ts'
import type { Block, ExecutedBlock, Header } from '../engine/block.ts'
import type { StateChange } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Shape } from '../json/shape.ts'
import type { StoredEntry } from '../store/store.ts'
import type { HeaderRecord } from './header-record.ts'

/** A transaction of a block. */
export interface MinedTransaction {
  readonly transaction: Transaction
  readonly header: Header
  readonly index: number
}

/** Which logs are asked for; a block range is of heights and holds both ends. */
export interface LogQuery {
  readonly from: bigint
  readonly to: bigint
  /** Any of them; none stands for every address. */
  readonly addresses: readonly Hex[]
  /** By position, any of those named there; an empty position stands for every topic. */
  readonly topics: readonly (readonly Hex[])[]
}

/** A log as JSON text, with what it was found by. */
export interface StoredLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  /** In the chain's shape. */
  readonly json: string
}

/** A block that has just become the head, and is on the disk. */
export interface AppendedBlock extends ExecutedBlock {
  readonly logs: readonly StoredLog[]
}

/** All blocks, one after the other: only `revert` and `switchBranch` take any back. Reads are synchronous unless they may be long. */
export interface Chain {
  /** Height 0, or of a fork the block that it goes on from. */
  readonly genesis: Header
  /** Of all JSON here. */
  readonly shape: Shape
  head(): Header
  /** Writes a block, its state, receipts and indexes as one, and makes it the head. Refuses what is not the head's child. */
  append(executed: ExecutedBlock): Promise<AppendedBlock>
  /** Called after each block that is on the disk, in the order of the blocks; must not throw. Gives the way to stop it. */
  onAppend(listener: (block: AppendedBlock) => void): () => void

  /**
   * Gives the head another state, as a chain for development may have it: its header says so from then on, its hash, its JSON and
   * its RLP do not.
   */
  changeState(change: StateChange): Promise<void>
  /** The head with its state, for `revert`. */
  mark(): HeaderRecord
  /**
   * Makes a block that was the head, and the state that it had, what they were, and forgets the blocks after it. All of it is
   * written at once, with what else is to be.
   */
  revert(
    record: HeaderRecord,
    more: { readonly puts: readonly StoredEntry[]; readonly deletes: readonly Uint8Array[] },
  ): Promise<void>
  /**
   * Puts other blocks into the place of those after `ancestor`: the last is the head then, and nothing is left of the ones that were
   * there but their states. All of it is written at once, with what else is to be.
   *
   * @param branch - one after the other, the first upon `ancestor`
   */
  switchBranch(
    ancestor: Header,
    branch: readonly ExecutedBlock[],
    puts: readonly StoredEntry[],
  ): Promise<void>
  /** Called after any of the three. Gives the way to stop it. */
  onReset(listener: () => void): () => void

  /** The state in it is the one that the next block goes on from, or the call runs on. */
  findHeader(id: bigint | Hex): Header | null
  findBlock(id: bigint | Hex): Block | null
  blockRlp(id: bigint | Hex): Uint8Array | null
  /** As is all JSON here, in the chain's shape. */
  blockJson(id: bigint | Hex, withTransactions: boolean): string | null
  countTransactions(id: bigint | Hex): number | null
  totalDifficulty(header: Header): bigint
  findTransaction(hash: Hex): MinedTransaction | null
  transactionJson(hash: Hex): string | null
  transactionJsonAt(block: bigint | Hex, index: number): string | null
  receiptJson(hash: Hex): string | null
  /** The logs of a mined transaction as the text of an array; null where there is none. */
  transactionLogsJson(hash: Hex): string | null
  /** In the order of blocks and of logs in them; throws `RpcError` beyond `limit`. */
  queryLogs(query: LogQuery, limit: number): Promise<StoredLog[]>
}
