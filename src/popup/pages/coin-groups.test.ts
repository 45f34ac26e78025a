import { describe, expect, it } from 'vitest'
import type { CoinView } from '../../background/ui-methods/payment-views.ts'
import { groupCoins } from './coin-groups.ts'

const coin = (outpoint: string, sats: number, held: CoinView['held']): CoinView => ({
  outpoint,
  sats: String(sats),
  height: 1,
  held,
  choice: null,
  label: '',
})

describe('coins by why they are held', () => {
  it('begin with those that can be spent, and add up', () => {
    const groups = groupCoins([
      coin('a:0', 900_000, 'reserved'),
      coin('b:0', 500_000, null),
      coin('c:0', 20_000, null),
      coin('d:0', 546, 'postage'),
    ])
    expect(groups.map(({ held, coins, sats }) => [held, coins.length, sats])).toEqual([
      [null, 2, 520_000n],
      ['postage', 1, 546n],
      ['reserved', 1, 900_000n],
    ])
  })
  it('are nothing when there are none', () => {
    expect(groupCoins([])).toEqual([])
  })
})
