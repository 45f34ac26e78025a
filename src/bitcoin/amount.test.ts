import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBtc, InvalidAmountError, MAX_SATS, parseSats } from './amount.ts'

const sats = fc.bigInt({ min: 1n, max: MAX_SATS })

describe('parseSats', () => {
  it('reads every amount exactly as number, string and bigint', () => {
    fc.assert(
      fc.property(sats, amount => {
        expect(parseSats(amount)).toBe(amount)
        expect(parseSats(amount.toString())).toBe(amount)
        expect(parseSats(Number(amount))).toBe(amount)
      }),
      { numRuns: 10_000 },
    )
  })

  it('reads the least and the most', () => {
    expect(parseSats(1)).toBe(1n)
    expect(parseSats('2100000000000000')).toBe(2_100_000_000_000_000n)
  })

  const refused: unknown[] = [
    0,
    -1,
    0.5,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    2_100_000_000_000_001,
    0n,
    -1n,
    MAX_SATS + 1n,
    '',
    '0',
    '00',
    '01',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1.0',
    '1e3',
    '0x10',
    '1,000',
    '1_000',
    '١',
    '2100000000000001',
    '99999999999999999999',
    null,
    undefined,
    true,
    [1],
    { valueOf: () => 1 },
  ]
  it.each(refused.map(value => [value]))('refuses %s', value => {
    expect(() => parseSats(value)).toThrow(InvalidAmountError)
  })
})

describe('formatBtc', () => {
  it('is the amount divided by 10^8, to all eight decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX_SATS, max: MAX_SATS }), amount => {
        const text = formatBtc(amount)
        expect(text).toMatch(/^-?(0|[1-9]\d*)\.\d{8}$/)
        expect(BigInt(text.replace('.', ''))).toBe(amount)
      }),
      { numRuns: 10_000 },
    )
  })

  it.each([
    [0n, '0.00000000'],
    [1n, '0.00000001'],
    [1_020_400n, '0.01020400'],
    [29_000_000n, '0.29000000'],
    [-5n, '-0.00000005'],
    [MAX_SATS, '21000000.00000000'],
  ])('writes %s sats as %s', (amount, text) => {
    expect(formatBtc(amount)).toBe(text)
  })
})
