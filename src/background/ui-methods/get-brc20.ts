import { hostOf } from '../../chain/access/http.ts'
import type { Brc20Balance } from '../../chain/brc20-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { formatBrc20Amount } from '../../ordinals/brc20/brc20-amount.ts'
import { MAX_LAG } from '../brc20/brc20.ts'
import { fetchHoldings } from '../brc20/brc20-holdings.ts'
import type { Brc20Context } from '../brc20/brc20-parts.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Brc20BalanceView, Brc20Overview } from '../views/brc20-views.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getBrc20: UiMethod<'getBrc20'> = async ({ wallet }) => {
  const context = { wallet, ...(await loadSelected(wallet)) }
  const { brc20: url } = await wallet.servers.urls(context.network)
  const server = url === '' ? null : hostOf(url)
  const nothing = { server, height: null, behind: false, problem: null, balances: [] }
  try {
    return { ...nothing, ...(await fetchOverview(context)) }
  } catch (error) {
    if (error instanceof BackendUnavailableError) return { ...nothing, problem: error.problem }
    throw error
  }
}

async function fetchOverview(
  context: Brc20Context,
): Promise<Pick<Brc20Overview, 'height' | 'behind' | 'balances'> | null> {
  const { wallet, network } = context
  const source = await wallet.brc20(network)
  if (!source) return null
  const chain = await wallet.chain(network)
  const [{ height }, tip, held, followed] = await Promise.all([
    source.fetchTip(),
    nullIfUnanswered(chain.fetchTip()),
    fetchHoldings(context, source),
    wallet.brc20Tickers.load(network),
  ])
  const had = new Set(held.map(({ tick }) => tick))
  const awaited = followed.filter(tick => !had.has(tick)).map(emptyBalance)
  return {
    height,
    behind: tip !== null && height < tip.height - MAX_LAG,
    balances: [...held, ...awaited].map(balance => ({
      ...viewBalance(balance),
      followed: followed.includes(balance.tick),
    })),
  }
}

export function emptyBalance(tick: string): Brc20Balance {
  return { tick, available: 0n, transferable: 0n }
}

export function viewBalance({ tick, available, transferable }: Brc20Balance): Brc20BalanceView {
  return {
    tick,
    available: formatBrc20Amount(available),
    transferable: formatBrc20Amount(transferable),
  }
}
