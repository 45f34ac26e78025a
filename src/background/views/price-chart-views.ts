import type { ServerProblem } from './settings-views.ts'

/** The last 24 hours, 7, 30 or 365 days. */
export type PriceRange = 'day' | 'week' | 'month' | 'year'

/**
 * What one bitcoin cost at a time (milliseconds since 1970), and what the account held then in blocks, in sats; at the newest
 * point also what is in no block yet. `sats` is null where that is not known.
 */
export type ChartPoint = { at: number; perBitcoin: number; sats: string | null }

/**
 * - `off`: no currency is chosen, and no server was asked
 * - `no-value`: coins of this network have no price, and no server was asked
 * - `no-history`: the server at `host` has no prices of the past
 * - `lines`: points oldest first, none for times of which the server has no price; `problem` is why what the account held is not known
 */
export type PriceChart =
  | { is: 'off' | 'no-value' }
  | { is: 'no-history'; host: string }
  | {
      is: 'lines'
      currency: string
      lines: { [range in PriceRange]: ChartPoint[] }
      problem: ServerProblem | null
    }

export type PriceMethods = {
  /**
   * What the account in use was worth over time; asks the servers. `retry` also asks one that is paused after failures. Throws
   * BACKEND_UNAVAILABLE where the prices cannot be had.
   */
  getPriceChart(params: { retry: boolean } | null): PriceChart
}
