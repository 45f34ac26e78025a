import type { Hex } from '../codec/hex.ts'
import type { Block, ExecutedBlock, Header, LogEntry, StateWrite, Withdrawal } from './block.ts'
import type { TraceOptions } from './tracing/trace-options.ts'
import type {
  AccessListEntry,
  Authorization,
  Transaction,
  UnsignedTransaction,
} from './transaction.ts'

/** Where the engine finds nodes of tries and code that are stored, by the hash of their bytes. */
export interface StateSource {
  get(hash: Uint8Array): Uint8Array | undefined
}

export interface Account {
  readonly balance: bigint
  readonly nonce: bigint
  readonly codeHash: Hex
  readonly storageRoot: Hex
}

/** Finds a block before another on the same branch by its hash; null where there is none. */
export type FindAncestor = (hash: Hex) => Pick<Block, 'header' | 'uncles'> | null

/** What a producer decides about a new block. */
export interface BlockTemplate {
  /** Seconds since 1970, later than the parent's. */
  readonly timestamp: bigint
  readonly miner: Hex
  readonly gasLimit: bigint
  readonly extraData: Hex
}

export interface ProducedBlock extends ExecutedBlock {
  /** Candidates that cannot be in a block after this parent, with geth's text; those for which there was no room are not among them. */
  readonly refused: readonly { readonly transaction: Transaction; readonly reason: string }[]
}

/** A call that is run without a transaction. */
export interface CallMessage {
  readonly from: Hex
  readonly to: Hex | null
  readonly value: bigint
  readonly input: Uint8Array
  /** Most gas that it may use; the cap of the node stands where it is missing or above. */
  readonly gas?: bigint
  readonly gasPrice?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly accessList?: readonly AccessListEntry[]
  /** Passed over before Prague. */
  readonly authorizationList?: readonly Authorization[]
  readonly blobVersionedHashes?: readonly Hex[]
}

/** Stands for an account's own values while a call runs, or from then on. */
export interface AccountOverride {
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Uint8Array
  /** All of the storage: slot of 32 bytes to value of 32 bytes. Never together with `stateDiff`. */
  readonly state?: ReadonlyMap<Hex, Hex>
  /** Single slots. */
  readonly stateDiff?: ReadonlyMap<Hex, Hex>
  /** Where the precompiled contract of this address is while the call runs. */
  readonly movePrecompileTo?: Hex
}

/** Stands for a block's own values while a call runs in it. */
export interface BlockOverrides {
  readonly number?: bigint
  readonly difficulty?: bigint
  /** Seconds since 1970. */
  readonly timestamp?: bigint
  readonly gasLimit?: bigint
  readonly miner?: Hex
  /** EIP-4399's. */
  readonly mixHash?: Hex
  readonly baseFeePerGas?: bigint
  readonly blobBaseFee?: bigint
}

export interface SimulatedBlockOverrides extends BlockOverrides {
  readonly beaconRoot?: Hex
  readonly withdrawals?: readonly Withdrawal[]
}

/** A call that is simulated as a transaction. */
export interface SimulatedCall extends CallMessage {
  /** The sender's own where it is missing. */
  readonly nonce?: bigint
  readonly chainId?: bigint
  readonly maxFeePerBlobGas?: bigint
}

/** A block that is simulated: it has the number after the last one, and comes twelve seconds later, unless it says otherwise. */
export interface SimulatedBlock {
  readonly overrides: SimulatedBlockOverrides
  readonly stateOverrides: StateOverrides
  readonly calls: readonly SimulatedCall[]
}

export interface SimulationOptions {
  /** Whether nonces and fees must be what they are in a block. */
  readonly validation: boolean
  /** Whether what is paid is told of in logs (ERC-7528). */
  readonly traceTransfers: boolean
}

export interface SimulatedLog extends LogEntry {
  /** Counted through the block, with those that were taken back. */
  readonly index: number
}

export interface SimulatedCallResult {
  /** Nothing where it failed. */
  readonly returned: Uint8Array
  readonly logs: readonly SimulatedLog[]
  readonly gasUsed: bigint
  /** Before refunds. */
  readonly maxUsedGas: bigint
  readonly failure: CallError | null
}

export interface SimulationResult {
  /** Nobody has signed its transactions. */
  readonly block: Block
  readonly calls: readonly SimulatedCallResult[]
}

/** A block that is run again. */
export interface TracedBlock {
  /** Its state is the one before the block. */
  readonly parent: Header
  readonly block: Block
}

/** In what a traced call runs. */
export interface TracedCallScene {
  readonly overrides: StateOverrides
  readonly blockOverrides: BlockOverrides
  /** The block of the header with how many of its transactions run before; null for all of it, which is the header's state. */
  readonly after: (TracedBlock & { readonly count: number }) | null
  readonly options: TraceOptions
  /** Milliseconds at most; never more than the node gives a call. */
  readonly time?: number
}

/** A state that no block has made, and what it has that no other has. */
export interface StateChange {
  readonly stateRoot: Hex
  readonly writes: readonly StateWrite[]
}

export type StateOverrides = ReadonlyMap<Hex, AccountOverride>

export interface CallResult {
  readonly returned: Uint8Array
  readonly gasUsed: bigint
}

/** What a call touches, in EIP-2930's form. */
export interface AccessListResult {
  readonly accessList: readonly AccessListEntry[]
  /** With that list. */
  readonly gasUsed: bigint
  /** Why the call failed, in geth's words; null where it did not. */
  readonly failure: string | null
}

/**
 * Runs transactions by the rules of one chain. It stores nothing: what a block changes comes back as writes, and the next
 * block may be run only once they are in the state source. Reads are by state root, and synchronous.
 */
export interface Engine {
  readonly chainId: bigint

  /**
   * Reads a transaction in RLP or EIP-2718's envelope (blobs are checked and left out). Throws `TransactionError` with
   * geth's text: what is not a transaction, is signed for another chain or by nobody.
   *
   * @param from - the sender where it is known, so that it is not recovered again
   */
  decodeTransaction(raw: Uint8Array, from?: Hex): Transaction
  /** The same while other work goes on; those that come first are there first. */
  decodeTransactionAside(raw: Uint8Array): Promise<Transaction>
  /** Resolves once all are there that are being decoded aside; null where none is. */
  untilDecoded(): Promise<void> | null
  /** @param privateKey - 32 bytes, which are not kept */
  signTransaction(unsigned: UnsignedTransaction, privateKey: Uint8Array): Transaction
  /** A transaction of an account whose key nobody has, with a mark in place of a signature. It is for chains that are nobody else's. */
  impersonate(unsigned: UnsignedTransaction, from: Hex): Transaction
  /**
   * Gas that a transaction costs before anything runs, with EIP-7623's floor where it holds, in the block after `parent`.
   * Throws `TransactionError` where that block takes none like it: `max initcode size exceeded` (EIP-3860).
   */
  intrinsicGas(parent: Header, transaction: Transaction): bigint
  /** What a unit of gas costs at least in the block after `parent`: zero before London. */
  nextBaseFee(parent: Header): bigint

  /** Reads a block in RLP; its senders are recovered. Throws where it is not one. */
  decodeBlock(rlp: Uint8Array): Block
  /** A stored block; its senders, one a transaction, are known. */
  restoreBlock(rlp: Uint8Array, senders: readonly Hex[]): Block

  createGenesis(): Promise<ExecutedBlock>
  /** Runs candidates in their order for as long as there is gas in the block. */
  produceBlock(
    parent: Header,
    template: BlockTemplate,
    candidates: Iterable<Transaction>,
  ): Promise<ProducedBlock>
  /**
   * Runs a block that was made elsewhere; throws where its header or its uncles are not what its fork wants, and where its roots,
   * bloom or gas are not what comes out.
   *
   * @param findAncestor - the blocks before it, by their hashes: asked where it has uncles
   * @param findBlockHash - for BLOCKHASH where it is of another branch than the stored one: hashes by height
   */
  executeBlock(
    parent: Header,
    block: Block,
    findAncestor: FindAncestor,
    findBlockHash?: (number: bigint) => Uint8Array | null,
  ): Promise<ExecutedBlock>

  /** The block that would be made upon `parent`, for calls in it: its hash and its state are the parent's. */
  describeNext(parent: Header, template: BlockTemplate): Header
  /** Throws `CallError`. */
  call(header: Header, message: CallMessage, overrides: StateOverrides): Promise<CallResult>
  /** The least gas with which a call succeeds. Throws `CallError`. */
  estimateGas(header: Header, message: CallMessage, overrides: StateOverrides): Promise<bigint>

  /** Throws `CallError` where the call cannot begin. */
  createAccessList(header: Header, message: CallMessage): Promise<AccessListResult>

  /**
   * Runs a block again and gives what a tracer says of its transactions, each as JSON text. Throws `CallError` beyond the time of
   * a call, and for a trace that is too large.
   *
   * @param index - of the one transaction that is traced; null for all
   * @param time - milliseconds at most; never more than the node gives a call
   */
  traceBlock(
    block: TracedBlock,
    index: number | null,
    options: TraceOptions,
    time?: number,
  ): Promise<string[]>
  /** The same of a call. Throws `CallError` where it cannot begin. */
  traceCall(header: Header, message: CallMessage, scene: TracedCallScene): Promise<string>

  /**
   * Runs calls in blocks upon a block, without a trace of them afterwards; gaps between the blocks are filled. Throws
   * `SimulationError`, and `CallError` beyond the time of a call.
   */
  simulate(
    base: Header,
    blocks: readonly SimulatedBlock[],
    options: SimulationOptions,
  ): Promise<SimulationResult[]>

  /** Null for an account that is not there. */
  readAccount(stateRoot: Hex, address: Hex): Account | null
  readCode(stateRoot: Hex, address: Hex): Uint8Array
  /** @param slot - 32 bytes
   *  @returns 32 bytes */
  readStorage(stateRoot: Hex, address: Hex, slot: Uint8Array): Uint8Array
  /** RLP of the trie's nodes from the root to the account, or to where it would be. */
  proveAccount(stateRoot: Hex, address: Hex): Uint8Array[]
  /** As for the account, of a slot of its storage (32 bytes); none where it has no storage. */
  proveStorage(stateRoot: Hex, address: Hex, slot: Uint8Array): Uint8Array[]
  /** Whether all of a state is stored, by looking at all of it. */
  hasState(stateRoot: Hex): boolean
  /** Another state, with the overrides in it; nothing is written. */
  changeState(stateRoot: Hex, overrides: StateOverrides): StateChange
}

/** A transaction that this chain never takes; the text is geth's. */
export class TransactionError extends Error {
  override readonly name = 'TransactionError'
}

/** A call that did not succeed; the text is geth's. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** What a reverted call returned, also where that is nothing; null where it failed otherwise. */
  readonly reverted: Uint8Array | null

  constructor(message: string, reverted: Uint8Array | null) {
    super(message)
    this.reverted = reverted
  }
}
