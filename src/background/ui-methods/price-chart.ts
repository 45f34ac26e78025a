import type { Network } from '../../bitcoin/network.ts'
import { hostOf } from '../../chain/access/http.ts'
import { BackendUnavailableError, type PricePoint } from '../../chain/chain-source.ts'
import {
  type BalanceLine,
  type BalanceLineParts,
  fetchBalanceLine,
} from '../activity/balance-line.ts'
import type { Clock } from '../primitives/clock.ts'
import type { PriceStore } from '../settings/prices.ts'
import type { Servers } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { ChartPoint, PriceRange } from '../views/price-chart-views.ts'
import type { ServerProblem } from '../views/settings-views.ts'
import { loadSelected, type SelectionParts, type UiMethodsOf } from './ui-context.ts'

export type PriceChartMethodParts = SelectionParts &
  BalanceLineParts &
  Clock & {
    settings: Pick<SettingsStore, 'load'>
    servers: Pick<Servers, 'urls' | 'resetBackoff'>
    prices: PriceStore
  }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far apart the points of a line are, how many there are, and how old a price may be that stands for one. */
const RANGES: { [range in PriceRange]: { stepMs: number; steps: number; maxAgeMs: number } } = {
  day: { stepMs: HOUR_MS, steps: 24, maxAgeMs: 3 * HOUR_MS },
  week: { stepMs: 2 * HOUR_MS, steps: 84, maxAgeMs: 6 * HOUR_MS },
  month: { stepMs: 8 * HOUR_MS, steps: 90, maxAgeMs: DAY_MS },
  // A server that is new has a price a week of the time before.
  year: { stepMs: 5 * DAY_MS, steps: 73, maxAgeMs: 8 * DAY_MS },
}

/** Coins of these are given away; regtest has what price its own server says. */
const WITHOUT_VALUE: readonly Network[] = ['testnet4', 'signet']

/** What the account in use held, at the prices of the time. Asks no server while no currency is chosen. */
export const priceChartMethods = {
  async getPriceChart({ wallet }, params) {
    const { network, account } = await loadSelected(wallet)
    const { currency } = await wallet.settings.load()
    if (currency === null) return { is: 'off' }
    if (WITHOUT_VALUE.includes(network)) return { is: 'no-value' }
    if (params?.retry === true) await wallet.servers.resetBackoff(network)
    const urls = await wallet.servers.urls(network)
    const url = urls.price || urls.chain
    const chain = await wallet.chain(network)
    const history = await wallet.prices.loadHistory(chain, url, currency)
    if (history === null) return { is: 'no-history', host: hostOf(url) }
    const [price, { balance, problem }] = await Promise.all([
      wallet.prices.load(chain, url, currency),
      orProblem(fetchBalanceLine(wallet, network, account, wallet.now() - 365 * DAY_MS)),
    ])
    const now = wallet.now()
    const known = price ? [...history, { at: now, perBitcoin: price.perBitcoin }] : history
    const lineOf = (range: PriceRange) => drawLine(range, known, balance, now)
    const lines = {
      ...{ day: lineOf('day'), week: lineOf('week') },
      ...{ month: lineOf('month'), year: lineOf('year') },
    }
    return { is: 'lines', currency, lines, problem }
  },
} satisfies UiMethodsOf<PriceChartMethodParts>

async function orProblem(
  line: Promise<BalanceLine>,
): Promise<{ balance: BalanceLine | null; problem: ServerProblem | null }> {
  try {
    return { balance: await line, problem: null }
  } catch (error) {
    if (error instanceof BackendUnavailableError) return { balance: null, problem: error.problem }
    throw error
  }
}

/** A point for each step up to now, but for those of which no price is known. */
function drawLine(
  range: PriceRange,
  history: readonly PricePoint[],
  balance: BalanceLine | null,
  now: number,
): ChartPoint[] {
  const { stepMs, steps, maxAgeMs } = RANGES[range]
  return Array.from({ length: steps + 1 }, (_, index) => now - (steps - index) * stepMs).flatMap(
    at => {
      const price = history.findLast(point => point.at <= at)
      if (!price || at - price.at > maxAgeMs) return []
      const sats = at === now ? balance?.total : balance?.at(at)
      return [{ at, perBitcoin: price.perBitcoin, sats: sats == null ? null : String(sats) }]
    },
  )
}
