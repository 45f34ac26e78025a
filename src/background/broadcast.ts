import { toHex } from '../bitcoin/bytes.ts'
import { txidOf } from '../bitcoin/transaction.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
} from '../chain/chain-source.ts'
import { failure } from '../provider/errors.ts'

const RETRY_DELAYS_MS = [500, 2000]

/**
 * Hands a signed transaction to the network; resolves its txid. The same bytes may be handed over any number of times.
 * Throws BROADCAST_REJECTED with the node's words, or BACKEND_UNAVAILABLE when it is not known whether it arrived.
 */
export async function broadcastTransaction(chain: ChainSource, rawTx: Uint8Array): Promise<string> {
  const txid = txidOf(rawTx)
  for (const delayMs of [...RETRY_DELAYS_MS, null]) {
    try {
      return await chain.broadcast(rawTx)
    } catch (cause) {
      if (cause instanceof BroadcastRejectedError) {
        throw failure('BROADCAST_REJECTED', cause.message, { cause, data: { node: cause.reason } })
      }
      if (!(cause instanceof BackendUnavailableError)) throw cause
      if (delayMs === null) {
        throw failure(
          'BACKEND_UNAVAILABLE',
          'The server did not answer. The transaction may have been sent: look for its id before you pay again.',
          { cause, data: { txid, rawTx: toHex(rawTx) } },
        )
      }
      await new Promise(resolve => setTimeout(resolve, delayMs))
    }
  }
  return txid
}
