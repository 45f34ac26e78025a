import { fromHex, toHex } from '../chain/hex.ts'
import { rawHex } from '../chain/transaction-record.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { type Call, HttpError, json, param, type Route, text } from '../server/http.ts'
import { formatTransaction } from './format.ts'
import { merkleBranch } from './merkle.ts'
import type { Status } from './shapes.ts'
import { createView, type SeenTransaction, type View } from './view.ts'

/** An output's spender in Esplora's words. */
export type OutspendJson =
  | { spent: false }
  | { spent: true; txid: string; vin: number; status: Status }

/** `/tx/:txid` and what belongs to it, relative to the prefix of the interface. */
export function transactionRoutes(network: LocalNetwork): Route[] {
  const get = (
    path: string,
    answer: (seen: SeenTransaction, view: View, call: Call) => ReturnType<Route['handle']>,
  ): Route => ({
    method: 'GET',
    path: `/tx/:txid${path}`,
    handle: call => {
      const view = createView(network, call.staleBlocks)
      return answer(findTransaction(view, param(call, 'txid')), view, call)
    },
  })
  return [
    get('', ({ record, status }) => json(formatTransaction(record, status))),
    {
      method: 'GET',
      path: '/tx/:txid/status',
      // Esplora answers this one for a transaction that it does not know, too.
      handle: call => {
        const txid = readTxid(param(call, 'txid'))
        const seen = createView(network, call.staleBlocks).find(txid)
        return json(seen?.status ?? { confirmed: false })
      },
    },
    get('/hex', ({ record }) => text(rawHex(record))),
    get('/raw', ({ record }) => ({
      status: 200,
      type: 'application/octet-stream',
      body: Buffer.from(record.tx.toBuffer()),
    })),
    get('/outspends', ({ record }, view) =>
      json(record.tx.outs.map((_, vout) => findOutspend(view, `${record.txid}:${vout}`))),
    ),
    get('/outspend/:vout', ({ record }, view, call) =>
      json(findOutspend(view, `${record.txid}:${Number(param(call, 'vout'))}`)),
    ),
    get('/merkle-proof', ({ record, status }) => {
      const confirmed = network.chain.transaction(record.txid)
      if (!status.confirmed || !confirmed) {
        throw new HttpError(404, 'Transaction not found or is unconfirmed')
      }
      const txids = confirmed.block.transactions.map(({ txid }) => txid)
      return json({
        block_height: status.block_height,
        merkle: merkleBranch(txids, confirmed.position),
        pos: confirmed.position,
      })
    }),
  ]
}

/** Who spends an outpoint (`txid:vout`), in a block or in the mempool. */
export function findOutspend(view: View, outpoint: string): OutspendJson {
  const spender = view.spender(outpoint)
  return spender ? { spent: true, ...spender } : { spent: false }
}

/** Throws 404 for one that the view does not have, 400 for what is no txid. */
export function findTransaction(view: View, txid: string): SeenTransaction {
  const seen = view.find(readTxid(txid))
  if (!seen) throw new HttpError(404, 'Transaction not found')
  return seen
}

function readTxid(value: string): string {
  const bytes = fromHex(value)
  if (bytes?.length !== 32) throw new HttpError(400, 'Invalid hex string')
  return toHex(bytes)
}
