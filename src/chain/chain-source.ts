// chain: the only code that reaches servers. The root holds the ports that the rest of the wallet uses; the rooms
// hold one kind of server each, and `open/` puts together the servers of a network. It promises that every answer
// is validated, and that a server that fails is an error (BackendUnavailableError) and never an empty answer. It
// never sees a key and stores nothing.

import type { MerkleProof } from '../bitcoin/headers/merkle-proof.ts'
import type { Network } from '../bitcoin/network.ts'
import type { Outpoint } from '../bitcoin/outpoint.ts'
import type { TransactionOutput } from '../bitcoin/transaction.ts'
import type { Utxo } from '../bitcoin/utxo.ts'

/** The newest block of a server; `at` in milliseconds, as its miner dated it. */
export type ChainTip = { height: number; hash: string; at: number }

/** Sats of an address in blocks, the net effect of unconfirmed transactions (may be negative), and how many transactions name it. */
export type Balance = { confirmed: bigint; unconfirmed: bigint; transactions: number }

/** A transaction as a server reports it; nothing in it is proven. `at` is the time of its block in milliseconds. */
export type HistoryTransaction = {
  txid: string
  vsize: number
  fee: bigint
  /** Null while unconfirmed, like the two after it. */
  height: number | null
  blockHash: string | null
  at: number | null
  /** Script and amount are null where the server does not know them, and for new coins of a block. */
  inputs: (Outpoint & { scriptPubKey: Uint8Array | null; amount: bigint | null })[]
  outputs: TransactionOutput[]
}

/** Transactions newest first, unconfirmed ones before all others; `next` is what to ask for the page after it. */
export type HistoryPage = { transactions: HistoryTransaction[]; next: string | null }

/** A block as a server reports it; `coinbase` is the txid of its first transaction. */
export type Block = { height: number; weight: number; coinbase: string }

/** What the wallet asks of a server that follows the chain. Every answer is checked before it is returned. */
export type ChainSource = {
  network: Network
  /**
   * Only where not all counts that a server calls confirmed: answers here have what is in a block above `height` as unconfirmed,
   * and those of `told` as the server has it.
   */
  limit?: { height: number; told: ChainSource }
  fetchTip(): Promise<ChainTip>
  fetchBalance(address: string): Promise<Balance>
  /** Unspent outputs of an address whose scriptPubKey the caller knows. */
  fetchUtxos(address: string, scriptPubKey: Uint8Array): Promise<Utxo[]>
  /** Raw transaction, its txid recomputed from the bytes. Throws TransactionNotFoundError when the server has none. */
  fetchTransaction(txid: string): Promise<Uint8Array>
  /** Whether a transaction is in a block: its height, null in the mempool, undefined when unknown to the server. */
  fetchTransactionHeight(txid: string): Promise<number | null | undefined>
  /** A page of what an address took part in: the first, or the one after `after`. */
  fetchHistory(address: string, after: string | null): Promise<HistoryPage>
  /** One transaction as histories hold it. Throws TransactionNotFoundError when the server has none. */
  fetchTransactionRecord(txid: string): Promise<HistoryTransaction>
  /** Txid that spends an output, in a block or the mempool; null while nothing does. */
  fetchSpender(outpoint: Outpoint): Promise<string | null>
  fetchBlock(hash: string): Promise<Block>
  /** The 80 bytes that hash to a block's hash. */
  fetchBlockHeader(hash: string): Promise<Uint8Array>
  /**
   * The headers of the blocks up to a height, oldest first, 80 bytes each, as many as the server tells of at once (Esplora 10,
   * mempool.space 15). Each has the hash that the server says; whether they are linked is not checked.
   */
  fetchBlockHeaders(height: number): Promise<Uint8Array[]>
  /** The same of its newest blocks, and the height of the last of them. */
  fetchNewestHeaders(): Promise<{ height: number; raws: Uint8Array[] }>
  /** Of a transaction in a block. Throws TransactionNotFoundError where the server has it in none. */
  fetchMerkleProof(txid: string): Promise<MerkleProof>
  /** Hands a signed transaction to the network; resolves its txid. A transaction that the server already has is a success. */
  broadcast(rawTx: Uint8Array): Promise<string>
}

/** One server of a chain alone; `host` as in {@link ServerProblem}, with its path where another one of the chain is there too. */
export type ChainServer = { host: string; source: ChainSource }

/** Remembers which servers follow which network, so that each is asked once. */
export type NetworkChecks = {
  has(network: Network, url: string): Promise<boolean>
  add(network: Network, url: string): Promise<void>
}

/** Fee rates in sat/vB, highest first. */
export type FeeRates = { fastest: number; halfHour: number; hour: number; minimum: number }

export type FeeSource = { fetchFeeRates(): Promise<FeeRates> }

/** A block that the wallet checked itself; `feeRate` is what its transactions paid on average, in sat/vB, null where it has none. */
export type RecentBlock = { hash: string; at: number; feeRate: number | null }

/** What the rates of {@link FeeSource} are compared with. */
export type FeeReferenceSource = {
  /** The fastest rate (sat/vB) by the chain servers where another one is asked for fee rates; null where none is. */
  fetchOtherFastest(): Promise<number | null>
  /** The newest blocks, newest first, up to the first one that is missing or fails its checks. */
  fetchRecentBlocks(): Promise<readonly RecentBlock[]>
}

/** What one bitcoin costs, by ISO 4217 code of the currency. */
export type Prices = { [currency: string]: number }

/** What one bitcoin cost at a time (milliseconds since 1970). */
export type PricePoint = { at: number; perBitcoin: number }

export type PriceSource = {
  fetchPrices(): Promise<Prices>
  /** All that the server has in a currency (ISO 4217), oldest first, each time once; null where it has none. */
  fetchPriceHistory(currency: string): Promise<PricePoint[] | null>
}

/** Why a server gave no usable answer; `detail` is in English, `retryInMs` null when nothing is planned. */
export type ServerProblem = {
  kind:
    | 'unreachable'
    | 'rate-limited'
    | 'wrong-network'
    | 'too-many-coins'
    | 'nonsense'
    | 'disagreement'
  /** Host of the server, such as `mempool.space`. */
  host: string
  /** What it answered, or how it failed. */
  detail: string
  /** Milliseconds until the next request is sent to it. */
  retryInMs: number | null
}

/** The server could not be reached, was too slow, or answered nonsense. */
export class BackendUnavailableError extends Error {
  override name = 'BackendUnavailableError'
  readonly problem: ServerProblem
  constructor(problem: ServerProblem, options?: ErrorOptions) {
    super(`${problem.host}: ${problem.detail}`, options)
    this.problem = problem
  }
}

/** The server knows no transaction with this id. */
export class TransactionNotFoundError extends BackendUnavailableError {
  override name = 'TransactionNotFoundError'
  constructor(host: string, txid: string) {
    super({ kind: 'nonsense', host, detail: `has no transaction ${txid}`, retryInMs: null })
  }
}

/** The node refused the transaction; `reason` is in the node's own words. */
export class BroadcastRejectedError extends Error {
  override name = 'BroadcastRejectedError'
  readonly reason: string
  constructor(reason: string, options?: ErrorOptions) {
    super(`The network refused the transaction: ${reason}`, options)
    this.reason = reason
  }
}
