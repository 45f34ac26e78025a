import { isNetwork, type Network } from '../../bitcoin/network.ts'

/** Leave of one origin to see and ask one account on one network, given at a time (milliseconds since 1970). */
export type Grant = {
  origin: string
  accountId: string
  network: Network
  at: number
  /** When it ends; missing where no time ends it. */
  until?: number
  /** When the wallet was unlocked that it was given in: it ends with the next lock. Missing where no lock ends it. */
  unlockedAt?: number
}

/** What a grant is for. */
export type GrantPlace = Pick<Grant, 'origin' | 'accountId' | 'network'>

/** What decides whether a grant has ended. */
export type GrantTimes = {
  now: number
  /** When the wallet was unlocked; null while it is locked. */
  unlockedAt: number | null
  /** Days without a use that end any grant; null for never. */
  unusedDays: number | null
  /** When it was used last; 0 where that is not known. */
  usedAt: number
}

export const DAY_MS = 24 * 60 * 60_000

/** A clock may be put right by this much; set back further, nobody knows how long a grant for a time has lasted. */
const CLOCK_TOLERANCE_MS = 60_000

/** When a grant ends if nothing changes: a time, or null for none. A lock may end it before. */
export function endOfGrant(
  grant: Grant,
  { unusedDays, usedAt }: Pick<GrantTimes, 'unusedDays' | 'usedAt'>,
): number | null {
  const unused = unusedDays === null ? null : Math.max(grant.at, usedAt) + unusedDays * DAY_MS
  const ends = [grant.until, unused].filter(end => typeof end === 'number')
  return ends.length === 0 ? null : Math.min(...ends)
}

export function isEnded(grant: Grant, times: GrantTimes): boolean {
  if (grant.unlockedAt !== undefined && grant.unlockedAt !== times.unlockedAt) return true
  if (grant.until !== undefined && times.now < grant.at - CLOCK_TOLERANCE_MS) return true
  const end = endOfGrant(grant, times)
  return end !== null && times.now >= end
}

/** Whether it ends by itself without a rule for all sites. */
export function isTemporary({ until, unlockedAt }: Grant): boolean {
  return until !== undefined || unlockedAt !== undefined
}

export function isSameGrant(a: GrantPlace, b: GrantPlace): boolean {
  return a.origin === b.origin && a.accountId === b.accountId && a.network === b.network
}

/** Grants as they are stored, without what is none. */
export function parseGrants(stored: unknown): Grant[] {
  return Array.isArray(stored) ? stored.filter(isGrant) : []
}

function isGrant(value: unknown): value is Grant {
  const { origin, accountId, network, at, until, unlockedAt } = Object(value)
  return (
    typeof origin === 'string' &&
    typeof accountId === 'string' &&
    isNetwork(network) &&
    typeof at === 'number' &&
    ['number', 'undefined'].includes(typeof until) &&
    ['number', 'undefined'].includes(typeof unlockedAt)
  )
}
