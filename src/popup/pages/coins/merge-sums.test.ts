import { describe, expect, it } from 'vitest'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { listOffered, mostMerged, sumMerge } from './merge-sums.ts'

/** P2WPKH: an output script of 22 bytes, and inputs of 41 bytes and 107 of witness (signatures of 71), so 271 WU. */
const SEGWIT = { type: 'p2wpkh', script: new Uint8Array(22) } as const
/** P2TR: 34 bytes; inputs of 41 bytes and 66 of witness, so 230 WU. */
const TAPROOT = { type: 'p2tr', script: new Uint8Array(34) } as const

const coin = (sats: number, changes: Partial<CoinView> = {}): CoinView => ({
  ...{ outpoint: `${sats}:0`, sats: String(sats), height: 1, held: null, assets: [] },
  ...{ unchecked: null, choice: null, rareSats: [], mergeable: true, label: '' },
  ...changes,
})

describe('coins that are offered to be merged', () => {
  const rates = { rate: 1, laterRate: 10 }

  it('are those that cost more than a share of what they hold later, the smallest first', () => {
    // An input of 57.5 vB counts as 58: 580 sats at 10 sat/vB, which is 1 % of 58,000.
    const coins = [coin(58_000), coin(57_999), coin(2_000), coin(11_600), coin(11_599)]
    const offered = (share: '1' | '5' | 'all') =>
      listOffered(coins, TAPROOT, { ...rates, share }).map(({ sats }) => Number(sats))
    expect(offered('1')).toEqual([2_000, 11_599, 11_600, 57_999])
    expect(offered('5')).toEqual([2_000, 11_599])
    expect(offered('all')).toEqual([2_000, 11_599, 11_600, 57_999, 58_000])
  })

  it('are none that may not be merged, and none that holds no more than it costs now', () => {
    const coins = [coin(58), coin(59), coin(700, { mergeable: false })]
    const offered = listOffered(coins, TAPROOT, { ...rates, share: 'all' })
    expect(offered.map(({ sats }) => sats)).toEqual(['59'])
  })
})

describe('what merging costs and saves', () => {
  it('is the fee of now, and the inputs that are not there later', () => {
    // Weight: 4 × (4 + 1 + 100 × 41 + 1 + 8 + 1 + 34 + 4) + 2 + 100 × 66 = 23,214, so 5,804 vB.
    const sums = sumMerge(TAPROOT, 100, { rate: 1, laterRate: 10 })
    expect(sums.fee).toBe(5_804n)
    // 99 × 57.5 × 10.
    expect(sums.later).toBe(56_925n)
    expect(sums.saved).toBe(51_121n)
    // 5,804 / 5,692.5 = 1.0196
    expect(sums.breakEven).toBe(1.1)
  })

  it('is a loss where fees do not rise', () => {
    expect(sumMerge(TAPROOT, 2, { rate: 10, laterRate: 10 }).saved).toBeLessThan(0n)
  })
})

describe('how many coins fit into one transaction', () => {
  it('is as many as 400,000 WU hold', () => {
    // (400,000 − 4 × (4 + 3 + 1 + 8 + 1 + 34 + 4) − 2) / 230 = 1738.17
    expect(mostMerged(TAPROOT)).toBe(1_738)
    // (400,000 − 4 × (4 + 3 + 1 + 8 + 1 + 22 + 4) − 2) / 271 = 1475.3.
    expect(mostMerged(SEGWIT)).toBe(1_475)
  })
})
