import { describe, expect, it } from 'vitest'
import { estimateByTarget, roundFeeRates } from './fees.ts'

const RATES = {
  fastestFee: 2.023,
  halfHourFee: 1.094,
  hourFee: 0.502,
  economyFee: 0.2,
  minimumFee: 0.1,
}

describe('fee rates', () => {
  it('are whole and at least 1 where they are recommended', () => {
    expect(roundFeeRates(RATES)).toEqual({
      fastestFee: 3,
      halfHourFee: 2,
      hourFee: 1,
      economyFee: 1,
      minimumFee: 1,
    })
  })

  it('never rise with the confirmation target, from 1 to 25 blocks, a day, half a week and a week', () => {
    const estimates = estimateByTarget(RATES)
    const targets = Object.keys(estimates).map(Number)
    expect(targets).toEqual([...Array.from({ length: 25 }, (_, i) => i + 1), 144, 504, 1008])
    const rates = Object.values(estimates)
    expect(rates).toEqual(rates.toSorted((a, b) => b - a))
    expect(rates[0]).toBe(2.023)
  })
})
