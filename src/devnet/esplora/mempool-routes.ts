import { estimateByTarget, type FeeRates } from '../mempool/fees.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import type { PoolEntry } from '../mempool/pool.ts'
import { json, type Route } from '../server/http.ts'

const RECENT_COUNT = 10

/** `/mempool` and `/fee-estimates`, relative to the prefix of the interface. */
export function mempoolRoutes(network: LocalNetwork, feeRates: () => FeeRates): Route[] {
  const get = (path: string, answer: () => unknown): Route => ({
    method: 'GET',
    path,
    handle: () => json(answer()),
  })
  return [
    get('/mempool', () => summarizePool(network.pool().entries())),
    get('/mempool/txids', () =>
      network
        .pool()
        .entries()
        .map(({ record }) => record.txid),
    ),
    get('/mempool/recent', () =>
      network
        .pool()
        .entries()
        .toReversed()
        .slice(0, RECENT_COUNT)
        .map(({ record: { txid, fee, vsize, tx } }) => ({
          txid,
          fee: Number(fee),
          vsize,
          value: tx.outs.reduce((sum, output) => sum + Number(output.value), 0),
        })),
    ),
    get('/fee-estimates', () => estimateByTarget(feeRates())),
  ]
}

/** Count, size and fees of the mempool; the histogram pairs a fee rate with the vsize that pays it. */
function summarizePool(entries: readonly PoolEntry[]) {
  const rated = entries.map(({ record }) => ({
    rate: Number(record.fee) / record.vsize,
    vsize: record.vsize,
  }))
  return {
    count: entries.length,
    vsize: rated.reduce((sum, { vsize }) => sum + vsize, 0),
    total_fee: entries.reduce((sum, { record }) => sum + Number(record.fee), 0),
    fee_histogram: rated
      .toSorted((a, b) => b.rate - a.rate)
      .map(({ rate, vsize }) => [rate, vsize]),
  }
}
