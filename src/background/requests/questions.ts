import { invalidParams } from '../../provider/errors.ts'
import { canonicalJson } from '../primitives/canonical-json.ts'
import type { Review } from '../views/approval-views.ts'
import { REQUEST_TTL_MS, type StoredRequest } from './requests.ts'

/** What the person filled in, checked against what was asked and in its canonical form; null for a review that asks for nothing. Throws -32602. */
export async function parseInput(review: Review, input: unknown): Promise<string | null> {
  if (review.kind === 'sign-on-device') {
    const { parseReturned } = await import('../keys/signing-device.ts')
    return parseReturned(review, input)
  }
  if (review.kind === 'connect') {
    if ((input ?? null) === null) return null
    return (await import('./grant-changes.ts')).parseTerm(input, 'input')
  }
  if (review.kind === 'choose-account')
    return (await import('./grant-changes.ts')).parseChosen(input, 'input')
  if (review.kind !== 'brc20-amount') return null
  if (typeof input !== 'string') throw invalidParams('input', input, 'an amount')
  const { formatBrc20Amount, InvalidBrc20Error, parseBrc20Amount } = await import(
    '../../ordinals/brc20/brc20-amount.ts'
  )
  try {
    return formatBrc20Amount(parseBrc20Amount(input, review.decimals ?? undefined))
  } catch (cause) {
    if (!(cause instanceof InvalidBrc20Error)) throw cause
    throw Object.assign(invalidParams('input', input, cause.expected), { cause })
  }
}

/** A device takes its time: it is unlocked, and shows each output. */
export function timeToLive({ review }: StoredRequest): number {
  return review?.kind === 'sign-on-device' ? 3 * REQUEST_TTL_MS : REQUEST_TTL_MS
}

/** Whether the person is shown something of it that has no answer yet. */
export function isWaiting(record: StoredRequest): boolean {
  return record.review !== null && !isApproved(record)
}

/** Whether it only goes before the question itself, so that nothing can be approved yet. */
export function isStep({ kind }: Review): boolean {
  return kind === 'unlock' || kind === 'preparing'
}

/** Whether something else is asked, or worked out, once this one has its answer. */
export function asksMore({ kind }: Review): boolean {
  return kind === 'brc20-amount' || kind === 'sign-on-device'
}

/** Whether the person approved the question that is asked now. The digest of an unlock in between is another one. */
export function isApproved({ digest, approvedDigest }: StoredRequest): boolean {
  return digest !== null && approvedDigest === digest
}

/**
 * Whether the person agreed to what it does, which nothing takes back. With an amount that is filled in nobody has yet: what it
 * comes to is asked next.
 */
export function isAgreed(record: StoredRequest): boolean {
  return isApproved(record) && record.review?.kind !== 'brc20-amount'
}

/** Whether one answer is for both. */
export function isSameQuestion(a: StoredRequest, b: StoredRequest): boolean {
  const shared = describeShared(a)
  return a.key === b.key || (shared !== null && shared === describeShared(b))
}

/**
 * What requests share that one answer settles: a site that repeats a waiting request to connect, to unlock, or for a network
 * asks the same question. Null for one that waits for an answer of its own, or for none.
 */
function describeShared(record: StoredRequest): string | null {
  const { review, origin, accountId, network } = record
  if (!isWaiting(record)) return null
  switch (review?.kind) {
    case 'unlock':
      return canonicalJson({ kind: review.kind, origin, accountId, network })
    case 'connect':
    case 'choose-account':
    case 'switch-network':
      return canonicalJson({ review, origin, accountId, network })
    default:
      return null
  }
}

/**
 * Gives what digests everything that an approval is for. It is loaded beforehand and then takes no time of its own: while a browser's
 * own hashing went on, the page of a request could leave unnoticed.
 */
export async function loadReviewDigest(): Promise<
  (record: StoredRequest, review: Review) => string
> {
  const { digestOf } = await import('../primitives/digest.ts')
  return ({ key, origin, method, params, accountId, network }, review) =>
    digestOf({ key, origin, method, params, accountId, network, review })
}
