import type { PricePoint, PriceSource } from '../../chain/chain-source.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { isYounger } from '../primitives/clock.ts'
import type { Currency } from '../views/settings-views.ts'

const STORAGE_KEY = 'priceHistory'
/** Servers have a new price every hour. */
const FRESH_MS = 30 * 60_000

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What is kept of a history: every hour of a month, and every day of a year and the week before it. */
const HOURS_KEPT_MS = 32 * DAY_MS
const DAYS_KEPT_MS = 374 * DAY_MS

/** Null points are those of a server that has no history. */
type CachedHistory = {
  url: string
  currency: Currency
  at: number
  points: [at: number, perBitcoin: number][] | null
}

/** What a bitcoin cost; the server at `url` is asked every half hour at most, and told the currency alone. */
export function createPriceHistory({ session, now }: { session: StorageArea; now(): number }) {
  /** What is asked at once is asked of the server once. */
  let running: { subject: string; history: Promise<PricePoint[] | null> } | null = null

  return {
    /**
     * The prices of the last year, oldest first, hours apart in the last month and days apart before; null where the server has none.
     * Throws BackendUnavailableError.
     */
    load(source: PriceSource, url: string, currency: Currency): Promise<PricePoint[] | null> {
      const subject = `${currency} ${url}`
      if (running?.subject === subject) return running.history
      const begun = { subject, history: loadPoints(source, url, currency) }
      running = begun
      return begun.history.finally(() => {
        if (running === begun) running = null
      })
    },
  }

  async function loadPoints(
    source: PriceSource,
    url: string,
    currency: Currency,
  ): Promise<PricePoint[] | null> {
    const cached = (await session.get(STORAGE_KEY)) as CachedHistory | undefined
    const isOfSame = cached?.url === url && cached.currency === currency
    if (isOfSame && isYounger(cached.at, FRESH_MS, now()))
      return cached.points?.map(([at, perBitcoin]) => ({ at, perBitcoin })) ?? null
    const all = await source.fetchPriceHistory(currency)
    const kept = all && thinHistory(all, now())
    const points = kept?.map(({ at, perBitcoin }): [number, number] => [at, perBitcoin]) ?? null
    const entry: CachedHistory = { url, currency, at: now(), points }
    await session.set({ [STORAGE_KEY]: entry })
    return kept
  }
}

/** The last point of every hour, or every day further back, without those that are too old or come after now. */
export function thinHistory(points: readonly PricePoint[], now: number): PricePoint[] {
  const slots = new Map<number, PricePoint>()
  for (const point of points) {
    const age = now - point.at
    if (age < 0 || age > DAYS_KEPT_MS) continue
    const length = age > HOURS_KEPT_MS ? DAY_MS : HOUR_MS
    slots.set(Math.floor(point.at / length) * length, point)
  }
  return [...slots.values()].sort((a, b) => a.at - b.at)
}
