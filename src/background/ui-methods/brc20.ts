import { hostOf } from '../../chain/access/http.ts'
import type { Brc20Balance, Brc20Source, Brc20Token } from '../../chain/brc20-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { formatBrc20Amount } from '../../ordinals/brc20/brc20-amount.ts'
import { invalidParams } from '../../provider/errors.ts'
import { MAX_LAG } from '../brc20/brc20.ts'
import { fetchHoldings, locateHeld } from '../brc20/brc20-holdings.ts'
import type { Brc20Context, Brc20Parts } from '../brc20/brc20-parts.ts'
import type { Brc20Tickers } from '../brc20/brc20-tickers.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Servers } from '../settings/servers.ts'
import type { Brc20BalanceView, Brc20Overview, Brc20TokenView } from '../views/brc20-views.ts'
import { parseTicker } from './params.ts'
import { loadSelected, type SelectionParts, type UiMethodsOf } from './ui-context.ts'

export type Brc20MethodParts = Brc20Parts &
  SelectionParts & {
    brc20Tickers: Pick<Brc20Tickers, 'load' | 'follow'>
    servers: Pick<Servers, 'urls'>
  }

/**
 * BRC-20 tokens of the account in use: balances, one token's terms, and the tickers that the person follows. All of it is the
 * word of the one BRC-20 server that the person named. Without that server, or while it does not answer, lists are empty and
 * the answer says why; the wallet never works out a balance itself.
 */
export const brc20Methods = {
  async getBrc20({ wallet }) {
    const context = { wallet, ...(await loadSelected(wallet)) }
    const server = await hostOfServer(context)
    const nothing = { server, height: null, behind: false, problem: null, balances: [] }
    try {
      return { ...nothing, ...(await fetchOverview(context)) }
    } catch (error) {
      if (error instanceof BackendUnavailableError) return { ...nothing, problem: error.problem }
      throw error
    }
  },

  async getBrc20Token({ wallet }, params) {
    const tick = parseTicker(params.tick)
    const context = { wallet, ...(await loadSelected(wallet)) }
    const source = await wallet.brc20(context.network)
    const server = await hostOfServer(context)
    const followed = (await wallet.brc20Tickers.load(context.network)).includes(tick)
    const nothing = { server, ...viewBalance(emptyBalance(tick)), token: null, transferables: [] }
    try {
      const answer = source && (await fetchToken(context, source, tick))
      return { ...nothing, ...answer, followed, problem: null }
    } catch (error) {
      if (!(error instanceof BackendUnavailableError)) throw error
      return { ...nothing, followed, problem: error.problem }
    }
  },

  async followBrc20({ wallet }, params) {
    const { followed } = params
    if (typeof followed !== 'boolean') throw invalidParams('followed', followed, 'true or false')
    const { network } = await loadSelected(wallet)
    await wallet.brc20Tickers.follow(network, parseTicker(params.tick), followed)
    return null
  },
} satisfies UiMethodsOf<Brc20MethodParts>

type OwnContext = Omit<Brc20Context, 'wallet'> & { wallet: Brc20MethodParts }

/** Null where no server of BRC-20 is set. */
async function hostOfServer({ wallet, network }: OwnContext): Promise<string | null> {
  const { brc20: url } = await wallet.servers.urls(network)
  return url === '' ? null : hostOf(url)
}

async function fetchOverview(
  context: OwnContext,
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
  const heldTicks = new Set(held.map(({ tick }) => tick))
  const empty = followed.filter(tick => !heldTicks.has(tick)).map(emptyBalance)
  return {
    height,
    behind: tip !== null && height < tip.height - MAX_LAG,
    balances: [...held, ...empty].map(balance => ({
      ...viewBalance(balance),
      followed: followed.includes(balance.tick),
    })),
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
  const outpoints = ours.length > 0 ? await locateHeld(context) : new Map<string, string>()
  const balance = balances.find(one => one.tick === tick) ?? emptyBalance(tick)
  return {
    ...viewBalance(balance),
    token: token === 'unknown' ? null : token === null ? 'none' : viewToken(token),
    transferables: ours.map(({ id, amount }) => ({
      id,
      amount: formatBrc20Amount(amount),
      outpoint: outpoints.get(id) ?? null,
    })),
  }
}

function emptyBalance(tick: string): Brc20Balance {
  return { tick, available: 0n, transferable: 0n }
}

function viewBalance({ tick, available, transferable }: Brc20Balance): Brc20BalanceView {
  return {
    tick,
    available: formatBrc20Amount(available),
    transferable: formatBrc20Amount(transferable),
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
