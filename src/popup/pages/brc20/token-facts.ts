import type { Brc20TokenView } from '../../../background/views/brc20-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { countTickerBytes } from '../../../ordinals/brc20/brc20-operation.ts'
import { call } from '../../platform/rpc.ts'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { type Query, useQuery } from '../../state/use-query.ts'

/** Stored keys that balances and tokens depend on. */
export const TOKEN_NEWS = [...NEWS, 'brc20Tickers', 'servers']

/** What the server tells of a ticker and what the account holds of it; not asked while the ticker is none. */
export function useToken(state: WalletState, tick: string): Query<Brc20TokenView | null> {
  return useQuery(
    async () => (isTicker(tick) ? await call('getBrc20Token', { tick }) : null),
    `${subjectOf(state)} ${tick}`,
    TOKEN_NEWS,
  )
}

/** Whether a server may be asked about it; tickers of six bytes are minted elsewhere, and held here. */
export function isTicker(tick: string): boolean {
  return [4, 5, 6].includes(countTickerBytes(tick)) && !tick.includes('\0')
}

/** Whether the balances are what a server said. */
export function hasBalances({ server, problem }: Brc20TokenView): boolean {
  return server !== null && problem === null
}

/** What is known of a deployed token; null while nothing is, and for one that nobody deployed. */
export function factsOf(view: Brc20TokenView | null) {
  return view === null || view.token === 'none' ? null : view.token
}
