import { describe, expect, it } from 'vitest'
import type { AssetView } from '../../../background/views/asset-views.ts'
import { countAssets, formatRuneAmount, listAssets, nameAsset } from './asset-names.ts'

const ID = `${'6f'.repeat(31)}41i12`
const inscription = (number: number | null, id = ID): AssetView => ({
  kind: 'inscription',
  id,
  number,
})
const FIRST = inscription(1, 'a')
const SECOND = inscription(2, 'b')
const RUNE: AssetView = { kind: 'rune', name: 'DOG•GO', amount: '21000000.05', symbol: null }

describe('the name of an inscription or a rune', () => {
  it('is its number, below zero for cursed ones, and its id while nobody told the number', () => {
    expect(nameAsset(inscription(1234567))).toBe('Inscription 1234567')
    expect(nameAsset(inscription(-7))).toBe('Inscription −7')
    expect(nameAsset(inscription(null))).toBe('Inscription 6f6f6f…41i12')
  })
  it('is how much of which rune, every digit kept', () => {
    expect(nameAsset(RUNE)).toBe('21,000,000.05 DOG•GO')
    expect(formatRuneAmount('340282366920938463463374607431768211455')).toMatch(/^340,282,.*,455$/)
  })
  it('is each of two, and the number of more', () => {
    expect(listAssets([FIRST, RUNE])).toBe('Inscription 1 and 21,000,000.05 DOG•GO')
    expect(listAssets([FIRST, SECOND, RUNE])).toBe('2 inscriptions and 1 kind of rune')
    expect(listAssets([FIRST, SECOND, inscription(3)])).toBe('3 inscriptions')
  })
  it('counts nothing twice: one inscription in two transactions, one rune on three coins', () => {
    expect(listAssets([FIRST, FIRST])).toBe('Inscription 1')
    expect(countAssets([FIRST, SECOND, FIRST])).toBe('2 inscriptions')
    expect(listAssets([RUNE, RUNE, RUNE])).toBe('1 kind of rune')
  })
})
