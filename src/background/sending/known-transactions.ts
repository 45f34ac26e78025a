import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { type ChainSource, TransactionNotFoundError } from '../../chain/chain-source.ts'
import type { Activity } from '../activity/activity.ts'
import type { Sources } from '../settings/servers.ts'
import { listPendingParents } from './outgoing.ts'

/** Beyond this many, what inputs spend stays unknown. */
const MAX_LOOKUPS = 1_000

const CONCURRENCY = 8

/**
 * Raw transactions by txid (recomputed from their bytes), of those that the server has or this wallet keeps back; at most
 * the first 1,000 are asked for. Throws BackendUnavailableError when it does not answer: what is to be broadcast needs it anyway.
 */
export async function fetchKnownTransactions(
  wallet: Pick<Sources, 'chain'> & { activity: Pick<Activity, 'listOpenOfAll'> },
  network: Network,
  txids: Iterable<string>,
): Promise<Map<string, Uint8Array>> {
  const known = new Map<string, Uint8Array>()
  const [chain, kept] = await Promise.all([
    wallet.chain(network),
    listPendingParents(wallet, network),
  ])
  // All workers share one iterator.
  const queue = [...new Set(txids)].slice(0, MAX_LOOKUPS).values()
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return known

  async function work(): Promise<void> {
    for (const txid of queue) {
      const parent = kept.get(txid)
      const rawTx = parent ? fromHex(parent.rawTx) : await fetchIfKnown(chain, txid)
      if (rawTx) known.set(txid, rawTx)
    }
  }
}

async function fetchIfKnown(chain: ChainSource, txid: string): Promise<Uint8Array | null> {
  try {
    return await chain.fetchTransaction(txid)
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  }
}
