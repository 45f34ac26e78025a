import { describe, expect, it } from 'vitest'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { canSeparate } from '../../review/coins/can-separate.ts'
import { actionOf, groupCoins } from './coin-groups.ts'

const coin = (
  outpoint: string,
  sats: number,
  held: CoinView['held'],
  changes: Partial<CoinView> = {},
): CoinView => ({
  outpoint,
  sats: String(sats),
  height: 1,
  held,
  assets: [],
  unchecked: null,
  choice: null,
  rareSats: [],
  mergeable: false,
  label: '',
  ...changes,
})

describe('coins by why they are held', () => {
  it('begin with those that can be spent, and add up', () => {
    const groups = groupCoins([
      coin('a:0', 900_000, 'reserved'),
      coin('b:0', 500_000, null),
      coin('c:0', 20_000, null),
      coin('d:0', 546, 'inscribed'),
    ])
    expect(groups.map(({ held, coins, sats }) => [held, coins.length, sats])).toEqual([
      [null, 2, 520_000n],
      ['inscribed', 1, 546n],
      ['reserved', 1, 900_000n],
    ])
  })
  it('say together why nobody knows what sits on them, where that is the same for all', () => {
    const behind = coin('a:0', 1, 'unknown', { unchecked: 'behind' })
    expect(groupCoins([behind, behind])[0]?.unchecked).toBe('behind')
    const silent = coin('b:0', 1, 'unknown', { unchecked: 'unanswered' })
    expect(groupCoins([behind, silent])[0]?.unchecked).toBeNull()
  })
  it('are all in some group, whatever holds them', () => {
    const reasons = [
      null,
      'locked',
      'inscribed',
      'runic',
      'unknown',
      'unconfirmed',
      'reserved',
    ] as const
    const groups = groupCoins(reasons.map((held, at) => coin(`${at}:0`, 1, held)))
    expect(groups.map(({ held }) => held)).toEqual(reasons)
  })
  it('are nothing when there are none', () => {
    expect(groupCoins([])).toEqual([])
  })
})

describe('what can be done with a coin', () => {
  const assets: CoinView['assets'] = [{ kind: 'inscription', id: `${'a'.repeat(64)}i0`, number: 1 }]
  it('is to free it only after a warning, where it carries something or may', () => {
    for (const held of ['inscribed', 'runic', 'unknown'] as const)
      expect(actionOf(coin('a:0', 1, held))).toBe('allow')
    expect(actionOf(coin('a:0', 1, 'reserved'))).toBeNull()
    expect(actionOf(coin('a:0', 1, 'locked'))).toBe('unlock')
    expect(actionOf(coin('a:0', 1, null))).toBe('lock')
    expect(actionOf(coin('a:0', 1, null, { choice: 'unlocked' }))).toBe('protect')
  })
  it('is to separate what shares it, or holds back far more sats than it needs', () => {
    expect(canSeparate(coin('a:0', 546, 'inscribed', { assets }))).toBe(false)
    expect(canSeparate(coin('a:0', 10_001, 'inscribed', { assets }))).toBe(true)
    expect(canSeparate(coin('a:0', 546, 'inscribed', { assets: [...assets, ...assets] }))).toBe(
      true,
    )
    expect(canSeparate(coin('a:0', 10_001, 'reserved', { assets }))).toBe(false)
    expect(canSeparate(coin('a:0', 10_001, null))).toBe(false)
  })
})
