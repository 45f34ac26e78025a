import { ProviderError } from '../provider/errors.ts'
import type { SentRecord } from './activity.ts'
import { sendOut } from './outgoing.ts'
import type { Wallet } from './wallet.ts'

/** Transactions on their way: `steps` in the order of broadcast, each after its parents; `itemIds` as the site gave them. */
export type SignedBatch = {
  itemIds: string[]
  steps: { itemId: string; parents: string[]; record: SentRecord }[]
}

/**
 * Hands a batch to the network; resolves the txid of each item, or null for one that was refused, that nobody answered for
 * (it may have arrived, and activity tries it again), or whose parent came to nothing: that is not sent. May be called
 * again with the same batch, in another worker too. Throws BACKEND_UNAVAILABLE when nothing at all was answered.
 */
export async function sendBatch(
  wallet: Wallet,
  { itemIds, steps }: SignedBatch,
): Promise<{ [itemId: string]: string | null }[]> {
  const txids = new Map<string, string>()
  let answered = false
  let unanswered: ProviderError | null = null
  for (const { itemId, parents, record } of steps) {
    if (!parents.every(parent => txids.has(parent))) continue
    try {
      txids.set(itemId, await sendOut(wallet, record))
      answered = true
    } catch (error) {
      if (isFailure(error, 'BROADCAST_REJECTED')) answered = true
      else if (isFailure(error, 'BACKEND_UNAVAILABLE')) unanswered ??= error
      else throw error
    }
  }
  if (unanswered && !answered) throw unanswered
  return itemIds.map(itemId => ({ [itemId]: txids.get(itemId) ?? null }))
}

function isFailure(error: unknown, reason: string): error is ProviderError {
  return error instanceof ProviderError && error.data?.reason === reason
}
