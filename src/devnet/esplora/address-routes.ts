import { hashScript, parseAddress } from '../chain/script.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { type Call, HttpError, json, param, type Route } from '../server/http.ts'
import { formatTransaction } from './format.ts'
import { createView, type SeenTransaction, sumStats } from './view.ts'

const MAX_UTXOS = 500
const CONFIRMED_PAGE = 25
const UNCONFIRMED_PAGE = 50

/** `/address/:address` and `/scripthash/:hash` with their UTXOs and histories, relative to the prefix of the interface. */
export function addressRoutes(network: LocalNetwork): Route[] {
  return [
    ...routesFor(network, '/address/:address', 'address', address => {
      const script = parseAddress(address)
      if (!script) throw new HttpError(400, 'Invalid Bitcoin address')
      return hashScript(script)
    }),
    ...routesFor(network, '/scripthash/:scripthash', 'scripthash', key => {
      if (!/^[0-9a-f]{64}$/i.test(key)) throw new HttpError(400, 'Invalid hex string')
      return key.toLowerCase()
    }),
  ]
}

function routesFor(
  network: LocalNetwork,
  prefix: string,
  name: string,
  hashName: (value: string) => string,
): Route[] {
  const get = (path: string, answer: (call: Call, key: string) => unknown): Route => ({
    method: 'GET',
    path: prefix + path,
    handle: call => json(answer(call, hashName(param(call, name)))),
  })
  return [
    get('', (call, key) => {
      const view = createView(network, call.staleBlocks)
      return {
        [name]: param(call, name),
        chain_stats: sumStats(key, view.confirmed(key)),
        mempool_stats: sumStats(key, view.unconfirmed(key)),
      }
    }),
    get('/utxo', (call, key) => {
      const utxos = createView(network, call.staleBlocks).utxos(key)
      if (utxos.length > MAX_UTXOS) {
        throw new HttpError(
          400,
          `Too many unspent transaction outputs (>${MAX_UTXOS}). Contact support to raise limits.`,
        )
      }
      return utxos
    }),
    get('/txs', (call, key) => {
      const view = createView(network, call.staleBlocks)
      const after = call.query.get('after_txid')
      const unconfirmed = view.unconfirmed(key)
      const confirmed = view.confirmed(key)
      if (!after) {
        return formatAll([
          ...unconfirmed.slice(0, UNCONFIRMED_PAGE),
          ...confirmed.slice(0, CONFIRMED_PAGE),
        ])
      }
      return unconfirmed.some(({ record }) => record.txid === after)
        ? formatAll([
            ...takeAfter(unconfirmed, after, UNCONFIRMED_PAGE),
            ...confirmed.slice(0, CONFIRMED_PAGE),
          ])
        : formatAll(takeAfter(confirmed, after, CONFIRMED_PAGE))
    }),
    get('/txs/chain', (call, key) =>
      formatAll(createView(network, call.staleBlocks).confirmed(key).slice(0, CONFIRMED_PAGE)),
    ),
    get('/txs/chain/:last', (call, key) =>
      formatAll(
        takeAfter(
          createView(network, call.staleBlocks).confirmed(key),
          param(call, 'last'),
          CONFIRMED_PAGE,
        ),
      ),
    ),
    get('/txs/mempool', (call, key) =>
      formatAll(createView(network, call.staleBlocks).unconfirmed(key).slice(0, UNCONFIRMED_PAGE)),
    ),
    get('/txs/summary', (call, key) => {
      const view = createView(network, call.staleBlocks)
      return [...view.unconfirmed(key), ...view.confirmed(key)].map(seen => {
        const { funded_txo_sum, spent_txo_sum } = sumStats(key, [seen])
        const { status } = seen
        return {
          txid: seen.record.txid,
          value: funded_txo_sum - spent_txo_sum,
          height: status.confirmed ? status.block_height : 0,
          time: status.confirmed ? status.block_time : 0,
        }
      })
    }),
  ]
}

/** The page that follows a txid; empty when the list does not hold it. */
function takeAfter(
  transactions: readonly SeenTransaction[],
  txid: string,
  count: number,
): SeenTransaction[] {
  const at = transactions.findIndex(({ record }) => record.txid === txid)
  return at < 0 ? [] : transactions.slice(at + 1, at + 1 + count)
}

function formatAll(transactions: readonly SeenTransaction[]) {
  return transactions.map(({ record, status }) => formatTransaction(record, status))
}
