// mempool-space: what mempool.space adds to Esplora: fees, prices, relatives of a transaction and the websocket.

import type { Prices } from '../admin/prices.ts'
import { classifyScript, parseAddress, parseWitnessProgram } from '../chain/script.ts'
import { findOutspend } from '../esplora/transaction-routes.ts'
import { createView } from '../esplora/view.ts'
import { type FeeRates, roundFeeRates } from '../mempool/fees.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { withAncestors, withDescendants } from '../mempool/pool.ts'
import { HttpError, json, type Route, text } from '../server/http.ts'
import { describePriceHistory } from './price-history.ts'
import { projectBlocks } from './projected-blocks.ts'

const MAX_OUTSPENDS_TXIDS = 50

/** What mempool.space adds to Esplora, relative to its prefix `/api/v1`. */
export function mempoolSpaceRoutes(
  network: LocalNetwork,
  feeRates: () => FeeRates,
  prices: () => Prices & { time: number },
): Route[] {
  return [
    { method: 'GET', path: '/prices', handle: () => json(prices()) },
    {
      method: 'GET',
      path: '/historical-price',
      handle({ query }) {
        const { time, ...current } = prices()
        const history = describePriceHistory(current, query.get('currency'), time)
        // mempool.space sends nothing at all for null.
        return history === null ? text('') : json(history)
      },
    },
    { method: 'GET', path: '/fees/recommended', handle: () => json(roundFeeRates(feeRates())) },
    { method: 'GET', path: '/fees/precise', handle: () => json(feeRates()) },
    {
      method: 'GET',
      path: '/fees/mempool-blocks',
      handle: () => json(projectBlocks(network.pool())),
    },
    {
      method: 'GET',
      path: '/txs/outspends',
      handle({ query, staleBlocks }) {
        const txids = (query.get('txids') ?? '').split(',')
        if (txids.length > MAX_OUTSPENDS_TXIDS) {
          throw new HttpError(400, `Too many txids requested (max ${MAX_OUTSPENDS_TXIDS})`)
        }
        if (!txids.every(txid => /^[0-9a-f]{64}$/i.test(txid))) {
          throw new HttpError(400, 'Invalid txids format')
        }
        const view = createView(network, staleBlocks)
        return json(
          txids.map(txid => {
            const outputs = view.find(txid)?.record.tx.outs ?? []
            return outputs.map((_, vout) => findOutspend(view, `${txid}:${vout}`))
          }),
        )
      },
    },
    {
      method: 'GET',
      path: '/cpfp/:txid',
      handle: ({ params }) => json(describeFamily(network, params.txid ?? '')),
    },
    {
      method: 'GET',
      path: '/transaction-times',
      handle: ({ query }) =>
        json(query.getAll('txId[]').map(txid => network.pool().get(txid)?.time ?? 0)),
    },
    {
      method: 'GET',
      path: '/validate-address/:address',
      handle: ({ params }) => json(validateAddress(params.address ?? '')),
    },
  ]
}

/** Unconfirmed relatives and the fee rate that they come to together. */
function describeFamily(network: LocalNetwork, txid: string) {
  const pool = network.pool()
  const entry = pool.get(txid)
  if (!entry) return { ancestors: [] }
  const brief = ({ record }: typeof entry) => ({
    txid: record.txid,
    fee: Number(record.fee),
    weight: record.weight,
  })
  const ancestors = withAncestors(pool, [txid])
  const fees = ancestors.reduce((sum, { record }) => sum + Number(record.fee), 0)
  const vsize = ancestors.reduce((sum, { record }) => sum + record.weight / 4, 0)
  const isOther = ({ record }: typeof entry) => record.txid !== txid
  return {
    ancestors: ancestors.filter(isOther).map(brief),
    descendants: withDescendants(pool, [txid]).filter(isOther).map(brief),
    effectiveFeePerVsize: fees / vsize,
  }
}

function validateAddress(address: string) {
  const script = parseAddress(address)
  if (!script) return { isvalid: false, error: 'Invalid address', error_locations: [] }
  const witness = parseWitnessProgram(script)
  return {
    isvalid: true,
    address,
    scriptPubKey: Buffer.from(script).toString('hex'),
    isscript: ['p2sh', 'v0_p2wsh', 'v1_p2tr'].includes(classifyScript(script)),
    iswitness: witness !== null,
    ...(witness
      ? {
          witness_version: witness.version,
          witness_program: Buffer.from(witness.program).toString('hex'),
        }
      : {}),
  }
}
