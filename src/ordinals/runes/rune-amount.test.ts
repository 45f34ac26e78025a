import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRuneAmount, parseRuneAmount } from './rune-amount.ts'

const MOST = 2n ** 128n - 1n

describe('an amount of a rune', () => {
  // ord, crates/ordinals/src/pile.rs, `display` (CC0): amount, divisibility, text.
  it.each([
    [0n, 0, '0'],
    [25n, 0, '25'],
    [0n, 1, '0'],
    [1n, 1, '0.1'],
    [1n, 2, '0.01'],
    [10n, 2, '0.1'],
    [1_100n, 3, '1.1'],
    [100n, 2, '1'],
    [101n, 2, '1.01'],
    [MOST, 18, '340282366920938463463.374607431768211455'],
    [MOST, 38, '3.40282366920938463463374607431768211455'],
  ])('%s at divisibility %s is %s', (amount, divisibility, text) => {
    expect(formatRuneAmount(amount, divisibility)).toBe(text)
    if (amount > 0n) expect(parseRuneAmount(text, divisibility)).toBe(amount)
  })

  it.each([
    ['', 0, 'malformed'],
    ['.5', 1, 'malformed'],
    ['5.', 1, 'malformed'],
    ['1,5', 1, 'malformed'],
    ['-1', 0, 'malformed'],
    ['1e3', 0, 'malformed'],
    ['٣', 0, 'malformed'],
    ['1'.repeat(40), 0, 'malformed'],
    ['0', 0, 'zero'],
    ['0.00', 2, 'zero'],
    ['0.001', 2, 'too-precise'],
    ['1.5', 0, 'too-precise'],
    [String(MOST + 1n), 0, 'too-large'],
    ['3.40282366920938463463374607431768211456', 38, 'too-large'],
  ])('%o at divisibility %s is none: %s', (text, divisibility, reason) => {
    expect(() => parseRuneAmount(text, divisibility)).toThrow(
      expect.objectContaining({ name: 'InvalidRuneAmountError', reason }),
    )
  })

  it('takes zeros that stand behind what counts', () => {
    expect(parseRuneAmount('1.500', 1)).toBe(15n)
    expect(parseRuneAmount('7.0', 0)).toBe(7n)
  })

  it('is the same after it was written and read', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MOST), fc.nat({ max: 38 }), (amount, divisibility) => {
        const text = formatRuneAmount(amount, divisibility)
        expect(parseRuneAmount(text, divisibility)).toBe(amount)
        // What it says, by whole numbers alone.
        const [whole = '', decimals = ''] = text.split('.')
        expect(
          BigInt(whole) * 10n ** BigInt(divisibility) +
            BigInt(decimals.padEnd(divisibility, '0') || '0'),
        ).toBe(amount)
      }),
    )
  })
})
