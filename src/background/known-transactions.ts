import { type ChainSource, TransactionNotFoundError } from '../chain/chain-source.ts'

/** Beyond this many, what inputs spend stays unknown. */
const MAX_LOOKUPS = 1_000

const AT_ONCE = 8

/**
 * Raw transactions by txid (recomputed from their bytes), of those that the server has; at most the first 1,000 are asked
 * for. Throws BackendUnavailableError when it does not answer: what is to be broadcast needs it anyway.
 */
export async function fetchKnownTransactions(
  chain: ChainSource,
  txids: Iterable<string>,
): Promise<Map<string, Uint8Array>> {
  const known = new Map<string, Uint8Array>()
  // All workers share one iterator.
  const queue = [...new Set(txids)].slice(0, MAX_LOOKUPS).values()
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return known

  async function work(): Promise<void> {
    for (const txid of queue) {
      const rawTx = await fetchIfKnown(chain, txid)
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
