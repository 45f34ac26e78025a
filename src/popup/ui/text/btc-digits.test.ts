import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadWords } from '../../platform/words.ts'
import {
  formatFeeRate,
  formatFiat,
  formatSats,
  formatShare,
  formatShortBtc,
  groupBtc,
  nameSats,
} from './btc-digits.ts'

const amount = fc.bigInt({ min: -2_100_000_000_000_000n, max: 2_100_000_000_000_000n })

describe('digits of an amount', () => {
  it('are grouped two, three and three after the point', () => {
    expect(groupBtc(1_020_400n)).toEqual({ sign: '', groups: ['0.01', '020', '400'], leading: 3 })
    expect(groupBtc(546n).groups).toEqual(['0.00', '000', '546'])
    expect(groupBtc(-2_150_000_000n)).toMatchObject({ sign: '−', groups: ['21.50', '000', '000'] })
  })
  it('are grouped by thousands before the point', () => {
    expect(groupBtc(2_099_999_997_690_000n).groups).toEqual(['20', '999', '999.97', '690', '000'])
    expect(groupBtc(123_400_000_000n).groups[0]).toBe('1')
    expect(groupBtc(99_900_000_000n).groups[0]).toBe('999.00')
  })
  it('tell which of them carry no value', () => {
    const valueless = (sats: bigint) =>
      groupBtc(sats).groups.join('').slice(0, groupBtc(sats).leading)
    expect(valueless(546n)).toBe('0.00000')
    expect(valueless(50_000_000n)).toBe('0.')
    expect(valueless(100_000_000n)).toBe('')
    expect(valueless(1_000_000_000n)).toBe('')
    expect(valueless(0n)).toBe('0.00000000')
  })
  it('read back as the same number of sats', () => {
    fc.assert(
      fc.property(amount, sats => {
        const { sign, groups } = groupBtc(sats)
        expect(BigInt(sign.replace('−', '-') + groups.join('').replace('.', ''))).toBe(sats)
        expect(BigInt(formatSats(sats).replaceAll(',', '').replace('−', '-'))).toBe(sats)
      }),
    )
  })
})

describe('amounts in sentences', () => {
  it('lose trailing zeros and nothing else', () => {
    expect(formatShortBtc(1_020_000n)).toBe('0.0102')
    expect(formatShortBtc(100_000_000n)).toBe('1')
    expect(formatShortBtc(1_000_000_000n)).toBe('10')
    expect(formatShortBtc(0n)).toBe('0')
    expect(formatShortBtc(-1n)).toBe('−0.00000001')
  })
  it('count one sat and many', () => {
    expect(nameSats(1n)).toBe('1 sat')
    expect(nameSats(1_020_400n)).toBe('1,020,400 sats')
    expect(nameSats(0n)).toBe('0 sats')
  })
})

describe('a share', () => {
  it('is rounded to hundredths of a percent and never to nothing', () => {
    expect(formatShare(1n, 1_000n)).toBe('0.1\u00a0%')
    expect(formatShare(15n, 100n)).toBe('15\u00a0%')
    expect(formatShare(1n, 3n)).toBe('33.33\u00a0%')
    expect(formatShare(1n, 1_000_000_000n)).toBe('under 0.01\u00a0%')
    expect(formatShare(0n, 5n)).toBe('0\u00a0%')
    expect(formatShare(5n, 0n)).toBe('—')
  })
})

describe('numbers in German', () => {
  afterEach(() => loadWords('en'))

  it('have German marks in sats, shares, rates and worths, and the point of BTC everywhere', async () => {
    vi.stubGlobal('document', { documentElement: {} })
    await loadWords('de')
    expect(nameSats(1_020_400n)).toBe('1.020.400 Sats')
    expect(formatShare(15n, 10_000n)).toBe('0,15\u00a0%')
    expect(formatShare(1n, 1_000_000_000n)).toBe('unter 0,01\u00a0%')
    expect(formatFeeRate(7.125)).toBe('7,13')
    expect(formatFiat(50_000_000n, { currency: 'EUR', perBitcoin: 91_250.5 })).toBe(
      '45.625,25\u00a0€',
    )
    expect(formatShortBtc(1_020_000n)).toBe('0.0102')
  })
})

describe('what bitcoin is worth', () => {
  it('is rounded as the currency is', () => {
    expect(formatFiat(1_000_000n, { currency: 'USD', perBitcoin: 104_321.5 })).toBe('$1,043.22')
    expect(formatFiat(100_000_000n, { currency: 'JPY', perBitcoin: 15_000_000.4 })).toBe(
      '¥15,000,000',
    )
  })
})
