// brc20: balances and tokens of BRC-20 by OPI (https://github.com/bestinslot-xyz/OPI) or UniSat's Open API; which
// of the two a server has is found out by asking. What they say is shown and checked against, and never makes a
// coin spendable.

import type { Network } from '../../bitcoin/network.ts'
import { type HttpAnswer, serverFailure } from '../access/http.ts'
import type { Brc20Api, Brc20Apis, Brc20Source } from '../brc20-source.ts'
import { BackendUnavailableError } from '../chain-source.ts'
import { type Brc20ReaderDeps, createBrc20Reader } from './brc20-reader.ts'
import { createOpi, parseOpiHeight } from './opi.ts'
import { createUnisat, parseUnisatChain } from './unisat.ts'

type Interface = {
  create(network: Network, url: string, deps: Brc20ReaderDeps): Brc20Source
  /** A path that no other has, and what reads its answer. */
  path: string
  read(answer: HttpAnswer): unknown
}

const APIS: { readonly [api in Brc20Api]: Interface } = {
  opi: { create: createOpi, path: '/v1/brc20/block_height', read: parseOpiHeight },
  unisat: { create: createUnisat, path: '/v1/indexer/blockchain/info', read: parseUnisatChain },
}

export type Brc20Deps = Brc20ReaderDeps & { apis: Brc20Apis }

/** The index of BRC-20 at `url`, without a slash at its end; its interface is found out by asking. */
export function createBrc20Server(
  network: Network,
  url: string,
  { apis, ...deps }: Brc20Deps,
): Brc20Source {
  let opened: Promise<Brc20Source> | null = null
  return {
    network,
    fetchTip: async () => (await open()).fetchTip(),
    fetchBalances: async (address, ticks) =>
      firstOfEach(await (await open()).fetchBalances(address, ticks), ({ tick }) => tick),
    fetchTransferables: async address =>
      firstOfEach(await (await open()).fetchTransferables(address), ({ id }) => id),
    fetchToken: async tick => (await open()).fetchToken(tick),
  }

  function open(): Promise<Brc20Source> {
    opened ??= (async () => {
      const api = (await apis.find(url)) ?? (await discover())
      return APIS[api].create(network, url, deps)
    })().catch(error => {
      opened = null
      throw error
    })
    return opened
  }

  async function discover(): Promise<Brc20Api> {
    const server = createBrc20Reader(url, deps)
    // Who has a key was given it for UniSat's; a server may ban who asks what it does not have.
    const order: Brc20Api[] = deps.key === null ? ['opi', 'unisat'] : ['unisat', 'opi']
    const said: string[] = []
    for (const api of order) {
      try {
        await server.ask(APIS[api].path, APIS[api].read)
        await apis.keep(url, api)
        return api
      } catch (error) {
        if (!(error instanceof BackendUnavailableError)) throw error
        if (error.problem.kind !== 'nonsense') throw error
        said.push(error.problem.detail)
      }
    }
    const detail = said.find(one => one.startsWith('answered 401'))
    throw serverFailure('nonsense', url, detail ?? 'is neither OPI nor the Open API of UniSat')
  }
}

/** What moves from page to page while they are read comes twice. */
function firstOfEach<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  const keys = new Set<string>()
  return rows.filter(row => !keys.has(keyOf(row)) && keys.add(keyOf(row)))
}
