import { orderForBlock } from '../mempool/block-template.ts'
import type { Pool } from '../mempool/pool.ts'

/** One of mempool.space's `mempool-blocks`: what the next blocks would hold. */
export interface ProjectedBlock {
  blockSize: number
  blockVSize: number
  nTx: number
  totalFees: number
  /** sat/vB */
  medianFee: number
  feeRange: number[]
}

/** A devnet pool fits one block; an empty pool gives none. */
export function projectBlocks(pool: Pool): ProjectedBlock[] {
  const records = orderForBlock(pool).map(entry => entry.record)
  if (records.length === 0) return []
  const rates = records.map(({ fee, vsize }) => Number(fee) / vsize).sort((a, b) => a - b)
  const quantile = (part: number) => rates[Math.floor(part * (rates.length - 1))] ?? 0
  return [
    {
      blockSize: records.reduce((sum, { size }) => sum + size, 0),
      blockVSize: records.reduce((sum, { weight }) => sum + weight / 4, 0),
      nTx: records.length,
      totalFees: records.reduce((sum, { fee }) => sum + Number(fee), 0),
      medianFee: quantile(0.5),
      feeRange: [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map(quantile),
    },
  ]
}
