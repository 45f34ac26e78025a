import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatBrc20Amount,
  InvalidBrc20Error,
  MAX_BRC20_AMOUNT,
  parseBrc20Amount,
} from './brc20-amount.ts'

describe('an amount of BRC-20', () => {
  it.each([
    ['1', 18, 1_000_000_000_000_000_000n],
    ['0.000000000000000001', 18, 1n],
    ['21000000', 0, 21_000_000_000_000_000_000_000_000n],
    ['1.10', 2, 1_100_000_000_000_000_000n],
    ['007', 18, 7_000_000_000_000_000_000n],
    ['18446744073709551615', 18, MAX_BRC20_AMOUNT],
  ])('%s with %i decimals is read exactly', (text, decimals, amount) => {
    expect(parseBrc20Amount(text, decimals)).toBe(amount)
  })

  it.each([
    ['', 18, 'not-a-number'],
    ['.5', 18, 'not-a-number'],
    ['5.', 18, 'not-a-number'],
    ['+5', 18, 'not-a-number'],
    ['-5', 18, 'not-a-number'],
    ['1e3', 18, 'not-a-number'],
    ['1,000', 18, 'not-a-number'],
    ['1.2.3', 18, 'not-a-number'],
    [' 1', 18, 'not-a-number'],
    ['1\n', 18, 'not-a-number'],
    ['0x10', 18, 'not-a-number'],
    ['١', 18, 'not-a-number'],
    ['0', 18, 'zero'],
    ['0.000', 18, 'zero'],
    ['1.5', 0, 'too-precise'],
    ['1.0', 0, 'too-precise'],
    ['0.0000000000000000001', 18, 'too-precise'],
    ['18446744073709551616', 18, 'too-large'],
    ['18446744073709551615.000000000000000001', 18, 'too-large'],
    ['9'.repeat(1_000_000), 18, 'too-large'],
  ])('%s with %i decimals is refused', (text, decimals, reason) => {
    const read = () => parseBrc20Amount(text, decimals)
    expect(read).toThrow(InvalidBrc20Error)
    expect(read).toThrow(expect.objectContaining({ reason, field: 'amt' }))
  })

  it('is written as short as it can be, and read back as the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_BRC20_AMOUNT }), amount => {
        const text = formatBrc20Amount(amount)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(parseBrc20Amount(text)).toBe(amount)
      }),
    )
  })

  it('keeps its value through zeros around its digits', () => {
    const zeros = fc.integer({ min: 0, max: 6 }).map(count => '0'.repeat(count))
    const parts = fc.tuple(
      fc.bigInt({ min: 1n, max: 2n ** 64n - 2n }),
      fc.integer({ min: 0, max: 999_999_999_999 }),
      zeros,
      zeros,
    )
    fc.assert(
      fc.property(parts, ([whole, fraction, before, after]) => {
        const digits = String(fraction).padStart(12, '0')
        const expected = whole * 10n ** 18n + BigInt(fraction) * 10n ** 6n
        expect(parseBrc20Amount(`${before}${whole}.${digits}${after}`)).toBe(expected)
      }),
    )
  })

  it('of nothing is written as 0', () => {
    expect(formatBrc20Amount(0n)).toBe('0')
  })
})
