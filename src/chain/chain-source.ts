import type { Network } from '../bitcoin/network.ts'
import type { Utxo } from '../bitcoin/utxo.ts'

/** What the wallet asks of a server that follows the chain. Every answer is checked before it is returned. */
export type ChainSource = {
  network: Network
  /** Sats of an address in blocks, and the net effect of unconfirmed transactions (may be negative). */
  fetchBalance(address: string): Promise<{ confirmed: bigint; unconfirmed: bigint }>
  /** Unspent outputs of an address whose scriptPubKey the caller knows. */
  fetchUtxos(address: string, scriptPubKey: Uint8Array): Promise<Utxo[]>
  /** Raw transaction, its txid recomputed from the bytes. Throws TransactionNotFoundError when the server has none. */
  fetchTransaction(txid: string): Promise<Uint8Array>
  /** Whether a transaction is in a block: its height, null in the mempool, undefined when unknown to the server. */
  fetchTransactionHeight(txid: string): Promise<number | null | undefined>
  /** Hands a signed transaction to the network; resolves its txid. A transaction that the server already has is a success. */
  broadcast(rawTx: Uint8Array): Promise<string>
}

/** Fee rates in sat/vB, highest first. */
export type FeeRates = { fastest: number; halfHour: number; hour: number; minimum: number }

export type FeeSource = { fetchFeeRates(): Promise<FeeRates> }

/** The server could not be reached, was too slow, or answered nonsense. */
export class BackendUnavailableError extends Error {
  override name = 'BackendUnavailableError'
}

/** The server knows no transaction with this id. */
export class TransactionNotFoundError extends BackendUnavailableError {
  override name = 'TransactionNotFoundError'
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
