import type { Brc20Balance, Brc20Source } from '../../chain/brc20-source.ts'
import { foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import { nullIfUnanswered } from '../primitives/unanswered.ts'
import { listOwnBrc20 } from './brc20-inscriptions.ts'
import type { Brc20Context } from './brc20-parts.ts'

/**
 * All balances of an account that are not zero, by ticker. A server that lists none is asked for the tokens that are
 * followed, that the account had before, and that its own inscriptions name. Throws BackendUnavailableError.
 */
export async function fetchHoldings(
  context: Brc20Context,
  source: Brc20Source,
): Promise<Brc20Balance[]> {
  const { wallet, network, account } = context
  const { brc20Tickers } = wallet
  const [followed, seen, own] = await Promise.all([
    brc20Tickers.load(network),
    brc20Tickers.seen(network, account.id),
    nullIfUnanswered(listOwnBrc20(context)),
  ])
  const named = own?.map(({ tick }) => foldTicker(tick)) ?? []
  const ticks = [...new Set([...followed, ...seen, ...named])]
  const balances = await source.fetchBalances(account.address, ticks)
  const held = balances.map(({ tick }) => tick)
  await brc20Tickers.see(network, account.id, held)
  return balances.toSorted((a, b) => (a.tick < b.tick ? -1 : 1))
}
