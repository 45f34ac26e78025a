import type { Hex } from '../codec/hex.ts'
import type { Transaction } from './transaction.ts'

export interface Header {
  readonly hash: Hex
  readonly parentHash: Hex
  /** The specification's `sha3Uncles`. */
  readonly uncleHash: Hex
  readonly miner: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly logsBloom: Hex
  readonly difficulty: bigint
  readonly number: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly extraData: Hex
  readonly mixHash: Hex
  readonly nonce: Hex
  /** From London on. */
  readonly baseFeePerGas?: bigint
  /** From Shanghai on. */
  readonly withdrawalsRoot?: Hex
  /** These three from Cancun on. */
  readonly blobGasUsed?: bigint
  readonly excessBlobGas?: bigint
  readonly parentBeaconBlockRoot?: Hex
  /** From Prague on. */
  readonly requestsHash?: Hex
}

export interface Withdrawal {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Hex
  /** In gwei. */
  readonly amount: bigint
}

export interface Block {
  readonly header: Header
  readonly transactions: readonly Transaction[]
  /** Hashes of the uncles. */
  readonly uncles: readonly Hex[]
  /** From Shanghai on. */
  readonly withdrawals?: readonly Withdrawal[]
  /** The whole block in RLP; its length is the specification's `size`. */
  readonly rlp: Uint8Array
}

/** What a contract wrote down while a transaction ran. */
export interface LogEntry {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

export interface Receipt {
  readonly transactionHash: Hex
  /** Whether it succeeded; null before Byzantium, which has a state root in its place. */
  readonly status: boolean | null
  readonly root: Hex | null
  readonly cumulativeGasUsed: bigint
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  /** Address of the contract that a transaction without `to` created, also where it failed. */
  readonly contractAddress: Hex | null
  readonly logs: readonly LogEntry[]
  readonly logsBloom: Hex
  /** Only of type 3. */
  readonly blobGasUsed?: bigint
  readonly blobGasPrice?: bigint
  /** Why a transaction that has just run failed, in geth's words, and the data of its revert; it is not stored. */
  readonly failure?: { readonly message: string; readonly reverted: Uint8Array | null }
}

/** A node of a trie or the code of a contract, under the hash of its bytes. */
export interface StateWrite {
  readonly hash: Uint8Array
  readonly bytes: Uint8Array
}

/** A block that was run: nothing of it is stored yet. */
export interface ExecutedBlock {
  readonly block: Block
  /** One for each transaction, in their order. */
  readonly receipts: readonly Receipt[]
  /** What the state after the block needs and the store does not have. */
  readonly writes: readonly StateWrite[]
}
