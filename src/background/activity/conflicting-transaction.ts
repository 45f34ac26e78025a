import type { Outpoint } from '../../bitcoin/outpoint.ts'
import { type ChainSource, TransactionNotFoundError } from '../../chain/chain-source.ts'

/** Inputs that are asked about: one request each. */
const MAX_INPUTS = 20

/** Txid of another transaction than `txid` that spends one of its inputs, in a block or the mempool; null for none. */
export async function fetchConflictingTxid(
  chain: ChainSource,
  txid: string,
  inputs: readonly Outpoint[],
): Promise<string | null> {
  for (const input of inputs.slice(0, MAX_INPUTS)) {
    const spender = await fetchSpender(chain, input)
    if (spender !== null && spender !== txid) return spender
  }
  return null
}

/** An output of a transaction that the server lost, too, is spent by nobody. */
async function fetchSpender(chain: ChainSource, outpoint: Outpoint): Promise<string | null> {
  try {
    return await chain.fetchSpender(outpoint)
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  }
}
