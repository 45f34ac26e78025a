import type { Network } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { ChosenAccount } from '../views/approval-views.ts'
import type { GrantTerm } from '../views/settings-views.ts'
import { DAY_MS, type Grant, type GrantPlace, type GrantTimes, isSameGrant } from './grants.ts'

// What becomes of grants that are there; none of it is needed when the worker starts.

export const GRANT_TERMS: readonly GrantTerm[] = ['always', 'day', 'lock']

/** Throws -32602. */
export function parseTerm(input: unknown, field: string): GrantTerm {
  const term = GRANT_TERMS.find(term => term === input)
  if (!term) throw invalidParams(field, input, `one of ${GRANT_TERMS.join(', ')}`)
  return term
}

/** What the person chose, in its one form as JSON. Throws -32602. */
export function parseChosen(input: unknown, field: string): string {
  const { accountId, address, ordinals, term } = readJson(input)
  const isText = (value: unknown) => typeof value === 'string'
  if (!isText(accountId) || !isText(address) || !(ordinals === null || isText(ordinals)))
    throw invalidParams(field, input, 'an account with the addresses that were shown')
  return JSON.stringify({ accountId, address, ordinals, term: parseTerm(term, `${field}.term`) })
}

function readJson(text: unknown): { [member in keyof ChosenAccount]?: unknown } {
  try {
    return Object(JSON.parse(String(text)))
  } catch {
    return {}
  }
}

/** The fields that end a grant which is given now. */
export function limitGrant(
  term: GrantTerm,
  { now, unlockedAt }: Pick<GrantTimes, 'now' | 'unlockedAt'>,
): Pick<Grant, 'until' | 'unlockedAt'> {
  if (term === 'day') return { until: now + DAY_MS }
  return term === 'lock' ? { unlockedAt: unlockedAt ?? 0 } : {}
}

/** Leave for what a site may see elsewhere, for no longer than it may see the first. */
export function extendGrant(
  grants: readonly Grant[],
  from: GrantPlace,
  to: GrantPlace,
  now: number,
): readonly Grant[] {
  const given = grants.find(grant => isSameGrant(grant, from))
  if (!given || grants.some(grant => isSameGrant(grant, to))) return grants
  return [...grants, { ...to, at: now, ...joinEnds(given) }]
}

/** From now on a site's grants last as long as the term says, counted from now. */
export function limitSite(
  grants: readonly Grant[],
  origin: string,
  term: GrantTerm,
  times: Pick<GrantTimes, 'now' | 'unlockedAt'>,
): Grant[] {
  return grants.map(grant => {
    if (grant.origin !== origin) return grant
    const { until: _, unlockedAt: __, ...rest } = grant
    if (term === 'always') return rest
    return { ...rest, at: times.now, ...limitGrant(term, times) }
  })
}

/**
 * What is left once one account is part of another: a site that may see both on a network may see them together, for as long as
 * both; any other has not been allowed to.
 */
export function joinGrants(grants: readonly Grant[], from: string, to: string): Grant[] {
  const find = (accountId: string, { origin, network }: { origin: string; network: Network }) =>
    grants.find(grant => isSameGrant(grant, { origin, accountId, network }))
  return grants.flatMap(grant => {
    if (grant.accountId === from) return []
    if (grant.accountId !== to) return grant
    const other = find(from, grant)
    const { until: _, unlockedAt: __, ...rest } = grant
    return other ? { ...rest, ...joinEnds(grant, other) } : []
  })
}

/** The ends of all: what stands for several grants that count lasts no longer than any. */
function joinEnds(...grants: Grant[]): Pick<Grant, 'until' | 'unlockedAt'> {
  const untils = grants.flatMap(({ until }) => until ?? [])
  const unlockedAt = grants.find(grant => grant.unlockedAt !== undefined)?.unlockedAt
  return {
    ...(untils.length > 0 && { until: Math.min(...untils) }),
    ...(unlockedAt !== undefined && { unlockedAt }),
  }
}
