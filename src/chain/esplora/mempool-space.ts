import { malformed, parseJson, parsePositive, parseRecord } from '../access/json-reader.ts'
import type { ServerAccess } from '../access/server-access.ts'
import { createServerReader } from '../access/server-reader.ts'
import type { FeeRates, FeeSource, PriceSource, Prices } from '../chain-source.ts'
import { MAX_PRICE, readPriceHistory } from './price-history.ts'

const CURRENCY = /^[A-Z]{3}$/
/** A history of some megabytes takes longer than other answers. */
const HISTORY_TIMEOUT_MS = 30_000

/** Fee rates at `url`: mempool.space's figures where the server has them, else Esplora's estimates by target. */
export function createFeeSource(
  url: string,
  access: ServerAccess,
  options: { bypassBackoff?: boolean } = {},
): FeeSource {
  const server = createServerReader(url, access, options)
  return {
    async fetchFeeRates() {
      const recommended = await server.get<FeeRates | null>(
        '/v1/fees/precise',
        body => readRecommended(parseRecord('fees', parseJson(body))),
        () => null,
      )
      if (recommended) return recommended
      return server.get('/fee-estimates', body =>
        readEstimates(parseRecord('fees', parseJson(body))),
      )
    },
  }
}

/** What a bitcoin costs and cost, as the mempool.space server at `url` reports it. */
export function createPriceSource(
  url: string,
  access: ServerAccess,
  options: { bypassBackoff?: boolean } = {},
): PriceSource {
  const server = createServerReader(url, access, options)
  return {
    fetchPrices: () =>
      server.get('/v1/prices', body => {
        const { time: _, ...prices } = parseRecord('prices', parseJson(body))
        const known: Prices = {}
        for (const [currency, price] of Object.entries(prices)) {
          // Where it has no price it says -1.
          if (!CURRENCY.test(currency) || price === 0 || price === -1) continue
          known[currency] = parsePositive(`prices.${currency}`, price, MAX_PRICE)
        }
        return known
      }),
    fetchPriceHistory: currency =>
      server.ask(
        `/v1/historical-price?currency=${encodeURIComponent(currency)}`,
        { timeoutMs: HISTORY_TIMEOUT_MS },
        ({ body }) => readPriceHistory(body === '' ? null : parseJson(body), currency),
        () => null,
      ),
  }
}

function readRecommended(rates: { [name: string]: unknown }): FeeRates {
  return {
    fastest: readFeeRate('fastestFee', rates.fastestFee),
    halfHour: readFeeRate('halfHourFee', rates.halfHourFee),
    hour: readFeeRate('hourFee', rates.hourFee),
    minimum: readFeeRate('minimumFee', rates.minimumFee),
  }
}

function readEstimates(estimates: { [target: string]: unknown }): FeeRates {
  const at = (target: number) => readFeeRate(`fee-estimates.${target}`, estimates[target] ?? 1)
  return { fastest: at(1), halfHour: at(3), hour: at(6), minimum: at(1008) }
}

/** sat/vB, cut to three decimals, never below a tenth of a sat. */
function readFeeRate(field: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0) || value > 10_000) {
    throw malformed(field, 'a fee rate')
  }
  return Math.max(0.1, Math.ceil(value * 1000) / 1000)
}
