import type { PriceSource, Prices } from '../../chain/chain-source.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { isYounger } from '../primitives/clock.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Overview } from '../views/activity-views.ts'
import type { Currency } from '../views/settings-views.ts'
import { createPriceHistory } from './price-history.ts'

const STORAGE_KEY = 'prices'
const FRESH_MS = 5 * 60_000

/** Null prices are those of a server that had none to give. */
type CachedPrices = { url: string; at: number; prices: Prices | null }

/** What a bitcoin costs and cost; for the price of now the server at `url` is asked every five minutes at most. */
export function createPrices({ session, now }: { session: StorageArea; now(): number }) {
  return {
    /** Null when the server does not say: a missing price is never an error. */
    async load(source: PriceSource, url: string, currency: Currency): Promise<Overview['price']> {
      const perBitcoin = (await loadAll(source, url))?.[currency]
      return perBitcoin === undefined ? null : { currency, perBitcoin }
    },
    /** See `price-history.ts`. */
    loadHistory: createPriceHistory({ session, now }).load,
  }

  async function loadAll(source: PriceSource, url: string): Promise<Prices | null> {
    const cached = (await session.get(STORAGE_KEY)) as CachedPrices | undefined
    if (cached?.url === url && isYounger(cached.at, FRESH_MS, now())) return cached.prices
    const prices = await nullIfUnanswered(source.fetchPrices())
    await session.set({ [STORAGE_KEY]: { url, at: now(), prices } satisfies CachedPrices })
    return prices
  }
}

export type PriceStore = ReturnType<typeof createPrices>
