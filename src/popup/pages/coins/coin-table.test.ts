import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { HideAmounts } from '../../ui/text/hidden-amounts.tsx'
import { groupCoins } from './coin-groups.ts'
import { CoinTable } from './coin-table.tsx'

const COIN: CoinView = {
  ...{ outpoint: `${'ab'.repeat(32)}:0`, sats: '123456789', height: 921_000, held: null },
  ...{ assets: [], unchecked: null, choice: null, rareSats: [], mergeable: true, label: '' },
}
const RUNE = { kind: 'rune', name: 'DOG•GO', amount: '777', symbol: null } as const

describe('the coins of a wide window', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('are a line each, with what they carry, how they stand, their block and their amount', () => {
    const coins: CoinView[] = [
      COIN,
      { ...COIN, sats: '546', held: 'runic', height: null, assets: [RUNE], label: 'Gift' },
      { ...COIN, outpoint: `${'cd'.repeat(32)}:7`, choice: 'unlocked', height: 5 },
    ]
    expect(readRows(draw(coins)).filter(cells => cells.length === 5)).toEqual([
      [
        expect.stringMatching(/^abababab…abab:0/),
        ...['', 'Can be spent', '921,000', '1.23456789 BTC'],
      ],
      [expect.stringMatching(/^cdcdcdcd…cdcd:7/), '', 'allowed by you', '5', '1.23456789 BTC'],
      [
        expect.stringMatching(/^Gift/),
        ...['777 DOG•GO', 'With runes', 'Not confirmed', '0.00000546 BTC'],
      ],
    ])
  })

  it('show no amount where amounts are hidden', () => {
    const drawn = draw([COIN, { ...COIN, held: 'runic', assets: [RUNE] }], { hidden: true })
    expect(drawn).not.toMatch(/1\.23|456,?789|777/)
    expect(drawn).toContain('DOG•GO')
  })

  it('are as many as there is room for, in whole blocks', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ ...COIN, outpoint: `${at}:0` }))
    const links = draw(many, { room: 100 }).match(/href="#\/coins\//g)
    expect(links).toHaveLength(100)
  })

  it('have the one marked whose details are open', () => {
    const other = { ...COIN, outpoint: `${'cd'.repeat(32)}:7` }
    const drawn = draw([COIN, other], { open: other.outpoint })
    expect(drawn.match(/<a[^>]*aria-current[^>]*>/g)).toEqual([
      expect.stringContaining(other.outpoint),
    ])
  })
})

function draw(coins: CoinView[], { hidden = false, room = 100, open = '' } = {}): string {
  vi.stubGlobal('location', { hash: `#/coins/${open}` })
  const table = createElement(CoinTable, { groups: groupCoins(coins), room })
  const props = { hidden, children: table }
  return renderToStaticMarkup(createElement(HideAmounts, props))
}

/** The texts of the cells, row by row. */
function readRows(markup: string): string[][] {
  return markup
    .split('role="row"')
    .slice(1)
    .map(row =>
      row
        .split('role="cell"')
        .slice(1)
        .map(cell => cell.replace(/^[^>]*>|<[^>]*>|<[^>]*$/g, '')),
    )
}
