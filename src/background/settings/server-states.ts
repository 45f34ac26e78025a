import type { Network } from '../../bitcoin/network.ts'
import { checkLiveFeed } from '../../chain/access/live-feed.ts'
import type { ServerAccess } from '../../chain/access/server-access.ts'
import { createAtomicals } from '../../chain/atomicals/atomicals.ts'
import { createBrc20Server } from '../../chain/brc20/brc20-server.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { createEsplora } from '../../chain/esplora/esplora.ts'
import { createFeeSource, createPriceSource } from '../../chain/esplora/mempool-space.ts'
import { createOrd } from '../../chain/ord/ord.ts'
import type { ServerCheck, ServerKind, ServerState } from '../views/settings-views.ts'

/** On a public network two hours without a block come once in some 160,000 blocks. */
const OLD_MS = 2 * 3_600_000

type Question = {
  network: Network
  kind: ServerKind
  url: string
  /** Of a server of BRC-20. */
  key: string | null
  access: ServerAccess
  now(): number
}

/** Asks a server at once what it is for; never `behind`, since that takes other servers to know. `isOld` is about its newest block. */
export async function askState(
  question: Question,
): Promise<{ state: ServerState; isOld: boolean }> {
  const { network, kind, url, now } = question
  const startedAt = now()
  try {
    const tip = await askTip(question)
    const latencyMs = now() - startedAt
    return {
      state: {
        kind,
        url,
        state: 'synced',
        height: tip?.height ?? null,
        latencyMs,
        problem: null,
      },
      isOld: network !== 'regtest' && tip?.at !== undefined && now() - tip.at > OLD_MS,
    }
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    const { problem } = error
    const state = problem.kind === 'wrong-network' ? 'wrong-network' : 'unreachable'
    return { state: { kind, url, state, height: null, latencyMs: null, problem }, isOld: false }
  }
}

/** Whether a server can be used for this, before it is stored. */
export async function checkServer(question: Question): Promise<ServerCheck> {
  const { kind, url } = question
  const isChain = kind === 'chain' || kind === 'secondChain'
  const [{ state }, live] = await Promise.all([
    askState(question),
    isChain ? checkLiveFeed({ url }) : false,
  ])
  return state.problem
    ? { usable: false, problem: state.problem }
    : { usable: true, height: state.height, latencyMs: state.latencyMs ?? 0, live }
}

/** The newest block of a chain server or an index, which does not date it; null for a server of fees or prices that answers. */
async function askTip(question: Question): Promise<{ height: number; at?: number } | null> {
  const { network, kind, url, key, access, now } = question
  switch (kind) {
    case 'fees':
      await createFeeSource(url, access, { bypassBackoff: true }).fetchFeeRates()
      return null
    case 'price':
      await createPriceSource(url, access, { bypassBackoff: true }).fetchPrices()
      return null
    case 'assets':
    case 'secondAssets':
      return createOrd(network, url, { access, now, bypassBackoff: true }).fetchTip()
    case 'brc20': {
      // Which interface it has is found out each time.
      const apis = { find: async () => null, keep: async () => {} }
      return createBrc20Server(network, url, { access, apis, key, bypassBackoff: true }).fetchTip()
    }
    case 'atomicals':
      return createAtomicals(network, url, { access, bypassBackoff: true }).fetchTip()
    case 'chain':
    case 'secondChain': {
      // Its first block is looked at each time.
      const checks = { has: async () => false, add: async () => {} }
      return createEsplora(network, url, { access, checks, bypassBackoff: true }).fetchTip()
    }
  }
}
