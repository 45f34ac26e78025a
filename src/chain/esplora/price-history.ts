import {
  malformed,
  parseArray,
  parsePositive,
  parseRecord,
  parseTime,
} from '../access/json-reader.ts'
import type { PricePoint } from '../chain-source.ts'

export const MAX_PRICE = 1e12

/** Every hour of twenty years, which is more than an answer of 8 MB has room for. */
const MAX_ROWS = 180_000

/**
 * Reads what mempool.space answers to `/v1/historical-price?currency=`: `{ prices: [{ time, [currency] }] }`, newest first, hours
 * apart for what its server saw itself and days or weeks before that.
 * @returns oldest first; null where the server has no price in the currency
 */
export function readPriceHistory(answer: unknown, currency: string): PricePoint[] | null {
  // What it says of a currency that it does not know.
  if (answer === null) return null
  const rows = parseArray('prices', parseRecord('the price history', answer).prices)
  if (rows.length > MAX_ROWS) throw malformed('prices', `a list of at most ${MAX_ROWS}`)
  const points: PricePoint[] = []
  let before = Number.POSITIVE_INFINITY
  for (const [index, value] of rows.entries()) {
    const field = `prices[${index}]`
    const row = parseRecord(field, value)
    const at = parseTime(`${field}.time`, row.time)
    if (at >= before) throw malformed(`${field}.time`, 'before the one above it')
    before = at
    const price = row[currency]
    // Where it has no price it says 0 or -1.
    if (price === 0 || price === -1) continue
    points.push({ at, perBitcoin: parsePositive(`${field}.${currency}`, price, MAX_PRICE) })
  }
  return points.length === 0 ? null : points.reverse()
}
