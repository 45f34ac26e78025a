import type { Prices } from '../admin/prices.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Seconds between two prices, by how old they are: mempool.space has an hour's what it saw itself, and of before what exchanges keep. */
const SPACING: readonly { olderThan: number; seconds: number }[] = [
  { olderThan: 400 * DAY, seconds: 7 * DAY },
  { olderThan: 90 * DAY, seconds: DAY },
  { olderThan: 0, seconds: HOUR },
]
const OLDEST = 3 * 365 * DAY

/** Swings in which a price moves, none a multiple of another: seconds from peak to peak, and by how much. */
const SWINGS: readonly { period: number; size: number }[] = [
  { period: 401 * DAY, size: 0.28 },
  { period: 67 * DAY, size: 0.09 },
  { period: 11 * DAY, size: 0.035 },
  { period: 29 * HOUR, size: 0.011 },
  { period: 7 * HOUR, size: 0.004 },
]

/**
 * What a bitcoin cost, in mempool.space's shape: newest first, `{ time, [currency], USD }` and rates of exchange. It comes to the price
 * of now, and is the same at every call for the same time; null for a currency that there is none of, as mempool.space has it.
 * @param now - Unix seconds
 */
export function describePriceHistory(prices: Prices, currency: string | null, now: number) {
  if (currency !== null && !prices[currency]) return null
  const wanted = currency === null ? Object.keys(prices) : [currency, 'USD']
  const rows: { [name: string]: number }[] = []
  for (let time = now - (now % HOUR); time > now - OLDEST; time -= spacingAt(now - time)) {
    const ratio = heightOf(time) / heightOf(now)
    const priceOf = (name: string) => {
      const price = prices[name] ?? -1
      return price < 0 ? -1 : Math.round(price * ratio * 100) / 100
    }
    rows.push({ time, ...Object.fromEntries(wanted.map(name => [name, priceOf(name)])) })
  }
  const usd = prices.USD ?? 0
  const others = Object.entries(prices).filter(([name]) => name !== 'USD')
  const rateOf = (price: number) =>
    usd <= 0 ? 0 : Math.round((Math.max(price, 0) / usd) * 100) / 100
  const exchangeRates = Object.fromEntries(
    others.map(([name, price]) => [`USD${name}`, rateOf(price)]),
  )
  return { prices: rows, exchangeRates }
}

function spacingAt(age: number): number {
  return SPACING.find(({ olderThan }) => age >= olderThan)?.seconds ?? HOUR
}

/** Above 0 at any time: the swings together stay below 1. */
function heightOf(time: number): number {
  return SWINGS.reduce(
    (height, { period, size }) => height + size * Math.sin((2 * Math.PI * time) / period),
    1,
  )
}
