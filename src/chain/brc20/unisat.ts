import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { BRC20_DECIMALS } from '../../ordinals/brc20/brc20-amount.ts'
import { countTickerBytes, foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import { type HttpAnswer, serverFailure } from '../access/http.ts'
import {
  malformed,
  parseArray,
  parseExactJson,
  parseHeight,
  parseInteger,
  parseNullable,
  parseRecord,
} from '../access/json-reader.ts'
import type { Brc20Balance, Brc20Source, Brc20Token, Brc20Transferable } from '../brc20-source.ts'
import { assertTicker, parseDecimal, parseInscription, parseTicker } from './brc20-json.ts'
import { type Brc20ReaderDeps, createBrc20Reader } from './brc20-reader.ts'

/** Rows of a page, and pages at most; what an address holds beyond that is not listed. */
const PAGE = 100
const MOST_PAGES = 20

/** The networks' names as a node says them. */
const CHAINS: { [chain: string]: Network } = {
  main: 'mainnet',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
}

/** The Open API of UniSat at `url` (unisat-wallet/unisat-dev-docs, open-api). It knows only what is in blocks. */
export function createUnisat(network: Network, url: string, deps: Brc20ReaderDeps): Brc20Source {
  const server = createBrc20Reader(url, deps)
  let isChecked = false
  return {
    network,
    async fetchTip() {
      await assertNetwork()
      return server.ask('/v1/indexer/brc20/bestheight', answer => {
        const { height } = parseRecord('data', readData(answer))
        return { height: parseHeight('height', height) }
      })
    },
    /** All there are, whatever `ticks` says. */
    async fetchBalances(address) {
      await assertNetwork()
      return fetchAll(`${pathOf(address)}/summary?tick_filter=56&exclude_zero=true`, readBalance)
    },
    async fetchTransferables(address) {
      const balances = await this.fetchBalances(address, [])
      const lying = balances.filter(({ transferable }) => transferable > 0n)
      const lists = await Promise.all(
        lying.map(({ tick }) =>
          fetchAll(
            `${pathOf(address)}/${encodeTicker(tick)}/transferable-inscriptions?`,
            readTransferable,
          ),
        ),
      )
      return lists.flat()
    },
    async fetchToken(tick) {
      await assertNetwork()
      return server.ask(`/v1/indexer/brc20/${encodeTicker(tick)}/info`, answer => {
        const data = readData(answer, true)
        return data === null ? null : readToken(data, foldTicker(tick))
      })
    },
  }

  async function assertNetwork(): Promise<void> {
    if (isChecked) return
    const chain = await server.ask('/v1/indexer/blockchain/info', parseUnisatChain)
    if (CHAINS[chain] !== network) {
      throw serverFailure('wrong-network', url, `follows another chain than ${network}`)
    }
    isChecked = true
  }

  /** `path` has a query already. */
  async function fetchAll<T>(path: string, read: (row: unknown) => T): Promise<T[]> {
    const rows: T[] = []
    for (let page = 0; page < MOST_PAGES; page++) {
      const { detail, total } = await server.ask(
        `${path}&start=${page * PAGE}&limit=${PAGE}`,
        answer => {
          const data = parseRecord('data', readData(answer))
          return {
            detail: (parseNullable(data.detail, list => parseArray('detail', list)) ?? []).map(
              read,
            ),
            total: parseInteger('total', data.total, 0, 100_000_000),
          }
        },
      )
      rows.push(...detail)
      if (rows.length >= total || detail.length === 0) return rows
    }
    return rows
  }
}

/** Which chain the server follows, in the words of a node; what else there is at that path is not UniSat's. */
export function parseUnisatChain(answer: HttpAnswer): string {
  const { chain } = parseRecord('data', readData(answer))
  if (typeof chain !== 'string') throw malformed('chain', 'a name')
  return chain
}

function pathOf(address: string): string {
  return `/v1/indexer/address/${encodeURIComponent(address)}/brc20`
}

/** Tickers of other characters than these go in hex. */
function encodeTicker(tick: string): string {
  return /^[a-z0-9]+$/i.test(tick) ? tick : toHex(toUtf8(tick))
}

/** `data` of an answer; where that may be, null for what the server says that it does not have. */
function readData({ status, body }: HttpAnswer, mayLack = false): unknown {
  if (status === 401) throw malformed('the key', 'one that the server takes')
  if (mayLack && status === 404) return null
  if (status !== 200) throw malformed('the status', '200')
  const { code, msg, data } = parseRecord('the answer', parseExactJson(body))
  if (code === 0) return data
  const lacks = typeof msg === 'string' && /not (found|exist)|no such/i.test(msg)
  if (mayLack && lacks) return null
  throw malformed('code', '0')
}

function readBalance(row: unknown): Brc20Balance {
  const { ticker, availableBalance, transferableBalance } = parseRecord('detail', row)
  return {
    tick: parseTicker('ticker', ticker),
    available: parseDecimal('availableBalance', availableBalance),
    transferable: parseDecimal('transferableBalance', transferableBalance),
  }
}

function readTransferable(row: unknown): Brc20Transferable {
  const { inscriptionId, data } = parseRecord('detail', row)
  const { tick, amt } = parseRecord('data', data)
  return {
    tick: parseTicker('tick', tick),
    id: parseInscription('inscriptionId', inscriptionId),
    amount: parseDecimal('amt', amt),
  }
}

function readToken(data: unknown, tick: string): Brc20Token {
  const row = parseRecord('data', data)
  assertTicker('ticker', row.ticker, tick)
  return {
    tick,
    decimals: parseInteger('decimal', row.decimal, 0, BRC20_DECIMALS),
    supply: parseDecimal('max', row.max),
    limit: parseDecimal('limit', row.limit),
    minted: parseDecimal('totalMinted', row.totalMinted ?? row.minted),
    // The answer does not say; of five bytes all are, of six those that say so.
    selfMint: countTickerBytes(tick) === 5 || row.selfMint === true,
    deploy: parseInscription('inscriptionId', row.inscriptionId),
  }
}
