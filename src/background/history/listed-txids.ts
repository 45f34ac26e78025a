import type { Review } from '../views/approval-views.ts'

const MOST_TXIDS = 24

/** Transactions of an approved question, from what was shown and what the page got, each once; at most 24. */
export function listTxids(review: Review, result: unknown): string[] {
  switch (review.kind) {
    case 'sign-psbt':
      return review.items.flatMap(({ txid }) => txid ?? []).slice(0, MOST_TXIDS)
    case 'push-tx':
      return [review.txid]
    case 'send-batch':
    case 'payment':
    case 'inscribe':
    case 'rune-mint':
    case 'sign-on-device':
      return [...new Set(findTxids(result, 3))].slice(0, MOST_TXIDS)
    // What else is 32 bytes is none.
    default:
      return []
  }
}

/** Texts of 32 bytes in hex, so deep in a JSON value. */
function findTxids(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.values(value).flatMap(member => findTxids(member, depth - 1))
}
