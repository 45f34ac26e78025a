import { describe, expect, it } from 'vitest'
import type { AssetView } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { RpcError } from '../../platform/rpc.ts'
import { explainRefusal, listUnsendable, parseUnits } from './units.ts'

const token = (amount: string, id = 'atom'): AssetView => ({
  ...{ kind: 'atomical', type: 'ft', id, number: 0, name: 'atom' },
  amount,
})

function coin(held: CoinView['held'], ...assets: AssetView[]): CoinView {
  return {
    ...{
      outpoint: 'a:0',
      sats: '1000',
      height: 1,
      unchecked: null,
      choice: null,
      rareSats: [],
      mergeable: false,
      label: '',
    },
    held,
    assets,
  }
}

describe('units that somebody typed', () => {
  it('are whole, at least 546 and no more than can be sent', () => {
    expect(parseUnits('546', 546n)).toEqual({ units: 546n })
    expect(parseUnits(' 10 000 ', null)).toEqual({ units: 10_000n })
    expect(parseUnits('007000', 7000n)).toEqual({ units: 7000n })
  })

  it.each([
    ['', 'missing'],
    ['1,000', 'commas'],
    ['1000.5', 'whole'],
    ['-1000', 'whole'],
    ['1e4', 'whole'],
    ['0', 'at least 546'],
    ['545', 'at least 546'],
    ['5001', '5,000'],
  ])('%j are refused in words', (typed, part) => {
    expect(parseUnits(typed, 5000n)).toEqual({ error: expect.stringContaining(part) })
  })
})

describe('units that cannot be sent now', () => {
  it('are summed up by what stands against them, most first; those that can be are left out', () => {
    const inscription: AssetView = { kind: 'inscription', id: 'i', number: 1 }
    const coins = [
      coin('atomical', token('1000')),
      coin(null, token('2000')),
      coin('reserved', token('100')),
      coin('reserved', token('200')),
      coin('locked', token('700'), inscription),
      coin('inscribed', token('900'), inscription),
      coin('unconfirmed', token('50')),
      coin('unknown', token('40')),
    ]
    expect(listUnsendable(coins, 'atom')).toEqual([
      { obstacle: 'shared', units: 900n },
      { obstacle: 'locked', units: 700n },
      { obstacle: 'reserved', units: 300n },
      { obstacle: 'unconfirmed', units: 50n },
      { obstacle: 'other', units: 40n },
    ])
  })

  it('are those of this token alone', () => {
    const nft = { ...token('1'), type: 'nft' } as AssetView
    const coins = [coin('locked', token('5', 'other')), coin('reserved', nft)]
    expect(listUnsendable(coins, 'atom')).toEqual([])
  })
})

describe('an amount that the background refuses', () => {
  const refuse = (message: string, data?: { [key: string]: string | string[] }) =>
    explainRefusal(new RpcError({ code: -32602, message, ...(data ? { data } : {}) }))
  const SAID = 'amount: expected 1000 or at most 454, got the string "999"'

  it('is explained with the amounts that would do, else with the least, else with what was expected', () => {
    expect(refuse(SAID, { nearest: ['1000', '454'] })).toContain('1,000 · 454')
    expect(refuse(SAID, { nearest: '1000' })).toContain('1,000.')
    expect(refuse(SAID, { least: '1330' })).toContain('at least 1,330')
    expect(refuse(SAID)).toContain('1000 or at most 454.')
  })

  it('is nothing else: other fields and failures keep their own words', () => {
    expect(refuse('to: expected an address, got the string "x"')).toBeNull()
    expect(explainRefusal(new RpcError({ code: -32000, message: SAID }))).toBeNull()
    expect(explainRefusal(new Error(SAID))).toBeNull()
  })
})
