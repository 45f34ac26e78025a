import { hostOf } from '../../chain/access/http.ts'
import type { Brc20Source, Brc20Token } from '../../chain/brc20-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { formatBrc20Amount } from '../../ordinals/brc20/brc20-amount.ts'
import { locateHeld } from '../brc20/brc20-holdings.ts'
import type { Brc20Context } from '../brc20/brc20-parts.ts'
import type { Brc20TokenView } from '../views/brc20-views.ts'
import { emptyBalance, viewBalance } from './get-brc20.ts'
import { parseTicker } from './read-ticker.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getBrc20Token: UiMethod<'getBrc20Token'> = async ({ wallet }, params) => {
  const tick = parseTicker(params.tick)
  const context = { wallet, ...(await loadSelected(wallet)) }
  const source = await wallet.brc20(context.network)
  const { brc20: url } = await wallet.servers.urls(context.network)
  const server = url === '' ? null : hostOf(url)
  const followed = (await wallet.brc20Tickers.load(context.network)).includes(tick)
  const nothing = { server, ...viewBalance(emptyBalance(tick)), token: null, transferables: [] }
  try {
    const told = source && (await fetchToken(context, source, tick))
    return { ...nothing, ...told, followed, problem: null }
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return { ...nothing, followed, problem: error.problem }
  }
}

async function fetchToken(
  context: Brc20Context,
  source: Brc20Source,
  tick: string,
): Promise<Pick<Brc20TokenView, 'available' | 'transferable' | 'token' | 'transferables'>> {
  const { address } = context.account
  const [token, balances, notes] = await Promise.all([
    source.fetchToken(tick),
    source.fetchBalances(address, [tick]),
    source.fetchTransferables(address),
  ])
  const ours = notes.filter(note => note.tick === tick)
  const places = ours.length > 0 ? await locateHeld(context) : new Map<string, string>()
  const balance = balances.find(one => one.tick === tick) ?? emptyBalance(tick)
  return {
    ...viewBalance(balance),
    token: token === 'untold' ? null : token === null ? 'none' : viewToken(token),
    transferables: ours.map(({ id, amount }) => ({
      id,
      amount: formatBrc20Amount(amount),
      outpoint: places.get(id) ?? null,
    })),
  }
}

function viewToken(token: Brc20Token): Brc20TokenView['token'] {
  const { decimals, supply, limit, minted, selfMint, deploy } = token
  return {
    decimals,
    supply: formatBrc20Amount(supply),
    limit: formatBrc20Amount(limit),
    minted: minted === null ? null : formatBrc20Amount(minted),
    selfMint,
    deploy,
  }
}
