import { describe, expect, it } from 'vitest'
import { parseRateText } from '../../forms/fee-form.ts'
import { parseAmount } from '../../forms/typed-amount.ts'
import { parseUnits } from '../../pages/collectibles/units.ts'
import { readCount } from '../../pages/runes/mint-words.ts'
import { parseTokenAmount } from './token-amount.ts'
import { plainNumber } from './typed-number.ts'

describe('a number that was typed', () => {
  it('is the same in the digits of every script that the browser writes numbers in', () => {
    const systems = Intl.supportedValuesOf('numberingSystem').map(numberingSystem =>
      new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9_876_543_210),
    )
    const digits = systems.filter(text => /^\p{Nd}+$/u.test(text))
    expect(digits.length).toBeGreaterThan(50)
    expect(new Set(digits.map(plainNumber))).toEqual(new Set(['9876543210']))
  })
  it('has the points and the commas of Arabic and of Japanese, Chinese and Korean input methods', () => {
    const arabic = new Intl.NumberFormat('ar-EG', { minimumFractionDigits: 2 })
    expect(plainNumber(arabic.format(1234.5))).toBe('1,234.50')
    expect(plainNumber('０．０１')).toBe('0.01')
    expect(plainNumber('０。０１')).toBe('0.01')
    expect(plainNumber('１，０００')).toBe('1,000')
  })
  it('is left without what comes along from where it was copied', () => {
    expect(plainNumber('\u200e1\u00a0000\u202f000.5\u200f\ufeff')).toBe('1000000.5')
  })
  it('stays no number where it is none', () => {
    for (const text of ['10²', '½', '1e5', '0x10', '-1', '+1', 'Ⅳ', '一', '①'])
      expect(plainNumber(text)).toBe(text)
  })
  it('is read by each field for numbers', () => {
    expect(parseAmount('０．０１', 'btc')).toBe(1_000_000n)
    expect(parseAmount('٢٥٠٠', 'sats')).toBe(2_500n)
    expect(parseAmount('１，０００', 'sats')).toBeNull()
    expect(parseRateText('１２．５')).toBe(12.5)
    expect(parseUnits('１０００', null)).toEqual({ units: 1_000n })
    expect(readCount('５', null)).toEqual({ count: 5 })
    expect(parseTokenAmount('١٠٫٥', { decimals: 18, most: null })).toEqual({ amount: '10.5' })
  })
})
