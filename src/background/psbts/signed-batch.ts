import { ProviderError } from '../../provider/errors.ts'
import type { SentRecord } from '../activity/activity.ts'
import { log } from '../primitives/log.ts'
import { broadcastTransaction, type SendingParts } from '../sending/outgoing.ts'

/** Transactions on their way: `steps` in the order of broadcast, each after its parents; `itemIds` as the site gave them. */
export type SignedBatch = {
  itemIds: string[]
  steps: { itemId: string; parents: string[]; record: SentRecord }[]
}

/** The same batch, approved at this time. */
export function approveAt(at: number, { itemIds, steps }: SignedBatch): SignedBatch {
  return {
    itemIds,
    steps: steps.map(({ record, ...step }) => ({ ...step, record: { ...record, at } })),
  }
}

/**
 * Hands a batch to the network; resolves the txid of each item, or null for one that was refused, that nobody answered for
 * (it may have arrived, and activity tries it again), that something unexpected stopped, or whose parent came to nothing:
 * that is not sent. May be called again with the same batch, in another worker too. Throws, mostly BACKEND_UNAVAILABLE,
 * when nothing at all was answered.
 */
export async function sendBatch(
  wallet: SendingParts,
  { itemIds, steps }: SignedBatch,
): Promise<{ [itemId: string]: string | null }[]> {
  const txids = new Map<string, string>()
  let answered = false
  const failures: unknown[] = []
  for (const { itemId, parents, record } of steps) {
    if (!parents.every(parent => txids.has(parent))) continue
    try {
      txids.set(itemId, await broadcastTransaction(wallet, record))
      answered = true
    } catch (error) {
      if (isFailure(error, 'BROADCAST_REJECTED')) {
        answered = true
        continue
      }
      failures.push(error)
      if (!isFailure(error, 'BACKEND_UNAVAILABLE')) log(`Item ${itemId} was not sent`, error)
    }
  }
  if (failures.length > 0 && !answered) throw failures[0]
  return itemIds.map(itemId => ({ [itemId]: txids.get(itemId) ?? null }))
}

function isFailure(error: unknown, reason: string): boolean {
  return error instanceof ProviderError && error.data?.reason === reason
}
