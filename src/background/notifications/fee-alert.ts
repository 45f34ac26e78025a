import type { Network } from '../../bitcoin/network.ts'

/** The server is asked for fee rates this often at most; it answers one request for all of them. */
const PERIOD_MS = 10 * 60_000

/** What was said of fees, and what it was about: another limit (sat/vB), or another network, begins anew. */
export type ToldFees = { network: Network; limit: number; at: number; isBelow: boolean }

/** Whether it is time to ask again. */
export function isFeeCheckDue(
  told: ToldFees | null,
  { network, limit }: Pick<ToldFees, 'network' | 'limit'>,
  now: number,
): boolean {
  return !isAbout(told, network, limit) || now - told.at >= PERIOD_MS || now < told.at
}

/**
 * What a fee rate (sat/vB) means to somebody who wants to know of rates under a limit: news when it has come below, and then none
 * until it was a tenth above the limit, so that a rate that goes up and down at the limit is told of once.
 */
export function judgeFees(
  told: ToldFees | null,
  { network, limit, at, rate }: Pick<ToldFees, 'network' | 'limit' | 'at'> & { rate: number },
): { isNews: boolean; next: ToldFees } {
  const wasBelow = isAbout(told, network, limit) && told.isBelow
  const isBelow = rate < limit || (wasBelow && rate <= limit * 1.1)
  return { isNews: isBelow && !wasBelow, next: { network, limit, at, isBelow } }
}

function isAbout(told: ToldFees | null, network: Network, limit: number): told is ToldFees {
  return told !== null && told.network === network && told.limit === limit
}
