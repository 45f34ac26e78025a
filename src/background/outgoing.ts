import { fromHex } from '../bitcoin/bytes.ts'
import { BackendUnavailableError, BroadcastRejectedError } from '../chain/chain-source.ts'
import { failure } from '../provider/errors.ts'
import type { StoredActivity } from './activity.ts'
import type { Wallet } from './wallet.ts'

const RETRY_DELAYS_MS = [500, 2000]

/**
 * Hands a signed transaction to the network and keeps account of it; resolves its txid. May be called again with the same
 * entry, in another worker too. Throws BROADCAST_REJECTED with the node's words, after which its coins are free again; or
 * BACKEND_UNAVAILABLE when it is not known whether it arrived: then it stays `sending`, its coins stay reserved, and
 * activity tries again.
 */
export async function sendOut(wallet: Wallet, entry: StoredActivity): Promise<string> {
  await wallet.activity.record({ ...entry, status: 'sending' })
  try {
    await broadcast(wallet, entry)
  } catch (cause) {
    if (cause instanceof BroadcastRejectedError) {
      await wallet.activity.setStatus(entry.txid, 'failed')
      throw failure('BROADCAST_REJECTED', cause.message, { cause, data: { node: cause.reason } })
    }
    if (!(cause instanceof BackendUnavailableError)) throw cause
    throw failure(
      'BACKEND_UNAVAILABLE',
      'The wallet’s server did not answer. The transaction may have been sent, and will be tried again: look for its id before you pay again.',
      { cause, data: { txid: entry.txid } },
    )
  }
  await wallet.activity.setStatus(entry.txid, 'pending')
  return entry.txid
}

async function broadcast(wallet: Wallet, { network, rawTx }: StoredActivity): Promise<void> {
  const chain = await wallet.chain(network)
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      await chain.broadcast(fromHex(rawTx))
      return
    } catch (cause) {
      if (!(cause instanceof BackendUnavailableError)) throw cause
      await new Promise(resolve => setTimeout(resolve, delayMs))
    }
  }
  await chain.broadcast(fromHex(rawTx))
}
