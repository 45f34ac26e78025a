import { type Pool, type PoolEntry, reach, withDescendants } from './pool.ts'

/** Below the consensus limit of 4,000,000, with room for the header and the coinbase. */
const MAX_TEMPLATE_WEIGHT = 3_900_000

/**
 * Orders the pool for a block as a miner would: the transaction whose unconfirmed ancestors and itself pay the highest
 * fee rate comes next, after those ancestors. What does not fit waits for the next block.
 */
export function orderForBlock(pool: Pool): PoolEntry[] {
  const places = new Map(pool.entries().map(({ record }, place) => [record.txid, place]))
  const chosen: PoolEntry[] = []
  const left = pool.clone()
  let weight = 0
  while (left.size() > 0) {
    let best: PoolEntry[] = []
    for (const { record } of left.entries()) {
      const family = [...reach(left, [record.txid], 'parents')].flatMap(
        txid => left.get(txid) ?? [],
      )
      if (best.length === 0 || paysMore(family, best)) best = family
    }
    const bestWeight = best.reduce((sum, { record }) => sum + record.weight, 0)
    const fits = weight + bestWeight <= MAX_TEMPLATE_WEIGHT
    const last = best.map(({ record }) => record.txid)
    for (const { record } of fits ? best : withDescendants(left, last)) left.remove(record.txid)
    if (!fits) continue
    weight += bestWeight
    best.sort((a, b) => (places.get(a.record.txid) ?? 0) - (places.get(b.record.txid) ?? 0))
    chosen.push(...best)
  }
  return chosen
}

function paysMore(a: readonly PoolEntry[], b: readonly PoolEntry[]): boolean {
  // feeA / sizeA > feeB / sizeB without division.
  return sumFees(a) * BigInt(sumVsizes(b)) > sumFees(b) * BigInt(sumVsizes(a))
}

export function sumFees(entries: readonly Pick<PoolEntry, 'record'>[]): bigint {
  return entries.reduce((sum, { record }) => sum + record.fee, 0n)
}

export function sumVsizes(entries: readonly Pick<PoolEntry, 'record'>[]): number {
  return entries.reduce((sum, { record }) => sum + record.vsize, 0)
}
