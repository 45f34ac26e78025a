import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { AssetView } from '../../../background/views/asset-views.ts'
import { Amount } from './amount.tsx'
import { listAssets } from './asset-names.ts'
import { HideAmounts, useAmounts } from './hidden-amounts.tsx'
import { HeldTokens } from './token-number.tsx'

const RUNE: AssetView = { kind: 'rune', name: 'DOG•GO', amount: '21000000.05', symbol: null }
const UNITS: AssetView = {
  kind: 'atomical',
  type: 'ft',
  id: `${'6f'.repeat(32)}i0`,
  number: 7,
  name: 'atom',
  amount: '54321',
}
const INSCRIPTION: AssetView = { kind: 'inscription', id: `${'6f'.repeat(32)}i0`, number: 12 }

describe('amounts of the account', () => {
  it('are all there where they are not hidden', () => {
    expect(readText(draw(createElement(Amount, { sats: 102_040_000n }), false))).toBe(
      '1.02040000 BTC',
    )
    expect(draw(createElement(HeldTokens, { amount: '1000.5' }), false)).toBe('1,000.5')
    expect(draw(createElement(Everything), false)).toBe(
      '546 sats|546 sats|0.00000546 BTC|$5.46|1,000.5|1000.5|21,000,000.05 DOG•GO|Inscription 12',
    )
  })

  it('have no digit and no length where they are hidden; what they are of stays', () => {
    expect(draw(createElement(Everything), true)).toBe(
      '••••|••••|••••|••••|••••|••••|•••• DOG•GO|Inscription 12',
    )
    for (const sats of [0n, 546n, 2_099_999_997_690_000n]) {
      const drawn = draw(createElement(Amount, { sats }), true)
      expect(readText(drawn)).toBe('••••hidden')
      expect(drawn).toBe(draw(createElement(HeldTokens, { amount: String(sats) }), true))
    }
  })

  it('are read as a word, not as dots', () => {
    expect(draw(createElement(Amount, { sats: 1n }), true)).toMatch(
      /^<span aria-hidden="true">••••<\/span><span class="[^"]*">hidden<\/span>$/,
    )
  })

  it('of one token on two coins are named once', () => {
    expect(draw(createElement(List, { assets: [UNITS, UNITS, RUNE] }), true)).toBe(
      '•••• ATOM (ARC-20) and •••• DOG•GO',
    )
  })
})

function Everything(): ReactNode {
  const amounts = useAmounts()
  return [
    amounts.sats(546n),
    amounts.coin(546n),
    amounts.btc(546n),
    amounts.fiat(546n, { currency: 'USD', perBitcoin: 1_000_000 }),
    amounts.tokens('1000.5'),
    amounts.digits('1000.5'),
    amounts.asset(RUNE),
    amounts.asset(INSCRIPTION),
  ].join('|')
}

function List({ assets }: { assets: readonly AssetView[] }): ReactNode {
  return listAssets(assets, useAmounts().asset)
}

function draw(inside: ReactNode, hidden: boolean): string {
  const props = { hidden, children: inside }
  return renderToStaticMarkup(createElement(HideAmounts, props))
}

function readText(markup: string): string {
  return markup.replace(/<[^>]*>/g, '')
}
