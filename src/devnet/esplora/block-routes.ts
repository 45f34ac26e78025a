import type { Rpc } from '../bitcoind/rpc.ts'
import type { BlockRecord } from '../chain/chain.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { type Call, HttpError, json, param, type Route, text } from '../server/http.ts'
import { formatBlock, formatTransaction } from './format.ts'
import { createView } from './view.ts'

const BLOCKS_PAGE = 10
const TRANSACTIONS_PAGE = 25

/** `/blocks`, `/block/:hash` and `/block-height/:height`, relative to the prefix of the interface. */
export function blockRoutes(network: LocalNetwork, rpc: Rpc): Route[] {
  const { chain } = network
  const tipHeight = (call: Call) => createView(network, call.staleBlocks).tipHeight

  function blockAt(height: number, tip: number): BlockRecord {
    const block = height <= tip ? chain.block(height) : undefined
    if (!block) throw new HttpError(404, 'Block not found')
    return block
  }

  function namedBlock(call: Call): BlockRecord {
    const block = chain.blockByHash(param(call, 'hash'))
    if (!block || block.height > tipHeight(call)) throw new HttpError(404, 'Block not found')
    return block
  }

  function formatPage(call: Call, block: BlockRecord, start: number) {
    if (start % TRANSACTIONS_PAGE !== 0 || start >= block.transactions.length) {
      throw new HttpError(400, 'start index out of range')
    }
    const view = createView(network, call.staleBlocks)
    return block.transactions
      .slice(start, start + TRANSACTIONS_PAGE)
      .map(record =>
        formatTransaction(record, view.find(record.txid)?.status ?? { confirmed: false }),
      )
  }

  function formatBlocks(newest: number) {
    const heights = Array.from({ length: BLOCKS_PAGE }, (_, i) => newest - i)
    return json(heights.flatMap(height => chain.block(height) ?? []).map(formatBlock))
  }

  const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle })
  return [
    get('/blocks/tip/height', call => text(String(tipHeight(call)))),
    get('/blocks/tip/hash', call => text(blockAt(tipHeight(call), tipHeight(call)).hash)),
    get('/blocks', call => formatBlocks(tipHeight(call))),
    get('/blocks/:start', call =>
      formatBlocks(Math.min(Number(param(call, 'start')), tipHeight(call))),
    ),
    get('/block-height/:height', call =>
      text(blockAt(Number(param(call, 'height')), tipHeight(call)).hash),
    ),
    get('/block/:hash', call => json(formatBlock(namedBlock(call)))),
    get('/block/:hash/header', call => text(namedBlock(call).header)),
    get('/block/:hash/status', call => {
      const block = chain.blockByHash(param(call, 'hash'))
      const tip = tipHeight(call)
      if (!block || block.height > tip) return json({ in_best_chain: false })
      const next = block.height < tip ? chain.block(block.height + 1)?.hash : undefined
      return json({ in_best_chain: true, height: block.height, next_best: next ?? null })
    }),
    get('/block/:hash/txids', call => json(namedBlock(call).transactions.map(({ txid }) => txid))),
    get('/block/:hash/txid/:index', call => {
      const record = namedBlock(call).transactions[Number(param(call, 'index'))]
      if (!record) throw new HttpError(404, 'tx index out of range')
      return text(record.txid)
    }),
    get('/block/:hash/txs', call => json(formatPage(call, namedBlock(call), 0))),
    get('/block/:hash/txs/:start', call =>
      json(formatPage(call, namedBlock(call), Number(param(call, 'start')))),
    ),
    get('/block/:hash/raw', async call => ({
      status: 200,
      type: 'application/octet-stream',
      body: Buffer.from(await rpc<string>('getblock', [namedBlock(call).hash, 0]), 'hex'),
    })),
  ]
}
