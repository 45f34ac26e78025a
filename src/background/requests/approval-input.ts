import {
  formatBrc20Amount,
  InvalidBrc20Error,
  parseBrc20Amount,
} from '../../ordinals/brc20/brc20-amount.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Review } from '../views/approval-views.ts'

/** What the person filled in, checked against what was asked and in its canonical form; null for a review that asks for nothing. Throws -32602. */
export function parseInput(review: Review, input: unknown): string | null {
  if (review.kind !== 'brc20-amount') return null
  if (typeof input !== 'string') throw invalidParams('input', input, 'an amount')
  try {
    return formatBrc20Amount(parseBrc20Amount(input, review.decimals ?? undefined))
  } catch (cause) {
    if (!(cause instanceof InvalidBrc20Error)) throw cause
    throw Object.assign(invalidParams('input', input, cause.expected), { cause })
  }
}
