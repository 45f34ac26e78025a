import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSats, formatShare, formatShortBtc, groupBtc, nameSats } from './btc-digits.ts'

const amount = fc.bigInt({ min: -2_100_000_000_000_000n, max: 2_100_000_000_000_000n })

describe('digits of an amount', () => {
  it('are grouped two, three and three after the point', () => {
    expect(groupBtc(1_020_400n)).toEqual({ sign: '', groups: ['0.01', '020', '400'], leading: 3 })
    expect(groupBtc(546n).groups).toEqual(['0.00', '000', '546'])
    expect(groupBtc(-2_150_000_000n)).toMatchObject({ sign: '−', groups: ['21.50', '000', '000'] })
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
