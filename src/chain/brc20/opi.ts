import type { Network } from '../../bitcoin/network.ts'
import { BRC20_DECIMALS } from '../../ordinals/brc20/brc20-amount.ts'
import { foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import { type HttpAnswer, serverFailure } from '../access/http.ts'
import {
  malformed,
  parseArray,
  parseBoolean,
  parseExactJson,
  parseHeight,
  parseInteger,
  parseNullable,
  parseRecord,
} from '../access/json-reader.ts'
import type { Brc20Balance, Brc20Source, Brc20Token, Brc20Transferable } from '../brc20-source.ts'
import { assertTicker, parseInscription, parseTicker, parseUnits } from './brc20-json.ts'
import { type Brc20ReaderDeps, createBrc20Reader } from './brc20-reader.ts'

/** What OPI says, with status 400, of what it does not have. */
const NOTHING = ['no balance found', 'no unused tx found', 'no ticker found']

/**
 * OPI's interface at `url` (bestinslot-xyz/OPI, modules/brc20_api). It names no network, lists no balances, and of tokens
 * it reports only where it has ticker_info, as OrdinalsBot's server does.
 */
export function createOpi(network: Network, url: string, deps: Brc20ReaderDeps): Brc20Source {
  const server = createBrc20Reader(url, deps)
  return {
    network,
    fetchTip: async () => ({ height: await server.ask('/v1/brc20/block_height', parseOpiHeight) }),
    async fetchBalances(address, ticks) {
      const lying = (await fetchNotes(address)) ?? []
      const wanted = new Set([...ticks.map(foldTicker), ...lying.map(({ tick }) => tick)])
      const balances = await Promise.all([...wanted].map(tick => fetchBalance(address, tick)))
      return balances.filter(({ available, transferable }) => available + transferable > 0n)
    },
    async fetchTransferables(address) {
      const notes = await fetchNotes(address)
      if (notes) return notes
      throw serverFailure('nonsense', url, 'keeps no list of transfer inscriptions')
    },
    fetchToken: tick => {
      const path = `/v1/brc20/ticker_info?${new URLSearchParams({ ticker: foldTicker(tick) })}`
      return server.ask(path, answer => {
        if (answer.status === 404) return 'unknown'
        const result = readResult(answer)
        return result === null ? null : readToken(result, foldTicker(tick))
      })
    },
  }

  function fetchBalance(address: string, tick: string): Promise<Brc20Balance> {
    const query = new URLSearchParams({ address, ticker: tick })
    return server.ask(`/v1/brc20/get_current_balance_of_wallet?${query}`, answer => {
      const result = readResult(answer)
      // OrdinalsBot's answers with a list of the one.
      const [row] = Array.isArray(result) ? result : [result]
      return readBalance(tick, row ?? null)
    })
  }

  /** Null where the server does not keep them. */
  function fetchNotes(address: string): Promise<Brc20Transferable[] | null> {
    const query = new URLSearchParams({ address })
    return server.ask(`/v1/brc20/get_valid_tx_notes_of_wallet?${query}`, answer => {
      if (isRefusal(answer, ['not supported'])) return null
      const result = readResult(answer)
      return result === null ? [] : readNotes(result)
    })
  }
}

/** The newest block, as text; what else there is at that path is not OPI. */
export function parseOpiHeight({ status, body }: HttpAnswer): number {
  if (status !== 200 || !/^\s*"?\d{1,9}"?\s*$/.test(body))
    throw malformed('block_height', 'a height')
  return parseHeight('block_height', Number(body.replace(/\D/g, '')))
}

/** `result` of an answer; null for what the server does not have. */
function readResult(answer: HttpAnswer): unknown {
  if (isRefusal(answer, NOTHING)) return null
  if (answer.status !== 200) throw malformed('the status', '200')
  const { error, result } = parseRecord('the answer', parseExactJson(answer.body))
  if (error !== null || result === null || result === undefined) throw malformed('error', 'null')
  return result
}

function isRefusal({ status, body }: HttpAnswer, errors: readonly string[]): boolean {
  if (status !== 400) return false
  const { error } = parseRecord('the answer', parseExactJson(body))
  return typeof error === 'string' && errors.includes(error)
}

function readBalance(tick: string, row: unknown): Brc20Balance {
  if (row === null) return { tick, available: 0n, transferable: 0n }
  const balance = parseRecord('the balance', row)
  parseNullable(balance.tick, named => assertTicker('tick', named, tick))
  const available = parseUnits('available_balance', balance.available_balance)
  const overall = parseUnits('overall_balance', balance.overall_balance)
  if (overall < available) throw malformed('overall_balance', 'at least the available one')
  return { tick, available, transferable: overall - available }
}

function readNotes(result: unknown): Brc20Transferable[] {
  const { unused_txes: rows } = parseRecord('result', result)
  return parseArray('unused_txes', rows).map(row => {
    const { tick, inscription_id: id, amount } = parseRecord('unused_txes', row)
    return {
      tick: parseTicker('tick', tick),
      id: parseInscription('inscription_id', id),
      amount: parseUnits('amount', amount),
    }
  })
}

function readToken(result: unknown, tick: string): Brc20Token {
  const row = parseRecord('result', result)
  assertTicker('tick', row.tick, tick)
  const supply = parseUnits('max_supply', row.max_supply)
  const left = parseUnits('remaining_supply', row.remaining_supply)
  if (left > supply) throw malformed('remaining_supply', 'at most the supply')
  return {
    tick,
    decimals: parseInteger('decimals', row.decimals, 0, BRC20_DECIMALS),
    supply,
    limit: parseUnits('limit_per_mint', row.limit_per_mint),
    minted: supply - left,
    selfMint: parseBoolean('is_self_mint', row.is_self_mint),
    deploy: parseInscription('deploy_inscription_id', row.deploy_inscription_id),
  }
}
