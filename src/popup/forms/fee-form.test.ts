import { describe, expect, it } from 'vitest'
import { DEFAULT_FEE, explainCustomRate, parseFeeRateText } from './fee-form.ts'

const RATES = { fastest: 12, halfHour: 8, hour: 5, minimum: 1 }

describe('the fee of a form', () => {
  it("is the server's rate that was chosen, and unknown while the server is silent", () => {
    expect(parseFeeRateText(DEFAULT_FEE, RATES)).toBe(8)
    expect(parseFeeRateText({ ...DEFAULT_FEE, fee: 'hour' }, RATES)).toBe(5)
    expect(parseFeeRateText(DEFAULT_FEE, null)).toBeNull()
    expect(explainCustomRate(DEFAULT_FEE)).toBeNull()
  })

  it("is the person's own rate, with any server and without", () => {
    const own = { fee: 'custom', customRate: ' 2.5 ' } as const
    expect([parseFeeRateText(own, RATES), parseFeeRateText(own, null)]).toEqual([2.5, 2.5])
    expect(explainCustomRate(own)).toBeNull()
  })

  it.each(['', '0', '0,5', '1.2345', '10001', '-1'])('is not %o, which it explains', customRate => {
    const own = { fee: 'custom', customRate } as const
    expect(parseFeeRateText(own, RATES)).toBeNull()
    expect(explainCustomRate(own)).toEqual(expect.any(String))
  })
})
