import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feeForVsize, InvalidFeeRateError, parseFeeRate } from './fee-rate.ts'

/** Thousandths of a sat/vB over the whole permitted range. */
const milliRates = fc.integer({ min: 100, max: 10_000_000 })

describe('parseFeeRate', () => {
  it('reads every rate with three decimals, as number and as text', () => {
    fc.assert(
      fc.property(milliRates, milli => {
        const text = `${Math.floor(milli / 1000)}.${String(milli % 1000).padStart(3, '0')}`
        expect(parseFeeRate(text)).toBe(milli / 1000)
        expect(parseFeeRate(milli / 1000)).toBe(milli / 1000)
      }),
    )
  })

  it.each([
    0,
    0.099,
    10_000.001,
    10_001,
    -1,
    1.0001,
    1e-7,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    '.5',
    '5.',
    '01',
    '1e1',
    ' 1',
    '1,5',
    null,
    undefined,
    1n,
    [1],
  ])('refuses %s', value => {
    expect(() => parseFeeRate(value)).toThrow(InvalidFeeRateError)
  })
})

describe('feeForVsize', () => {
  it('is the least whole fee whose rate is not below the one asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), milliRates, (vsize, milli) => {
        const fee = feeForVsize(vsize, milli / 1000)
        const thousandths = BigInt(vsize) * BigInt(milli)
        expect(fee * 1000n >= thousandths && (fee - 1n) * 1000n < thousandths).toBe(true)
      }),
      { numRuns: 10_000 },
    )
  })

  it.each([
    [141, 1, 141n],
    [111, 1.1, 123n],
    [1, 0.1, 1n],
    [100, 0.29, 29n],
    [1000, 4.35, 4350n],
  ])('asks for %s vB at %s sat/vB %s sats', (vsize, feeRate, fee) => {
    expect(feeForVsize(vsize, feeRate)).toBe(fee)
  })
})
