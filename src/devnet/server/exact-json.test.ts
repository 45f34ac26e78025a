import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDecimal } from '../ord/output-routes.ts'
import { writeExact } from './exact-json.ts'

describe('JSON with large integers', () => {
  it('writes every digit of an amount', () => {
    const amount = 2n ** 128n - 1n
    expect(writeExact({ runes: { 'A•B': { amount, symbol: null } }, list: [1n, 'x', true] })).toBe(
      '{"runes":{"A•B":{"amount":340282366920938463463374607431768211455,"symbol":null}},"list":[1,"x",true]}',
    )
  })

  it('is what JSON is where nothing is large', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), value => {
        expect(writeExact(value as Parameters<typeof writeExact>[0])).toBe(JSON.stringify(value))
      }),
      { numRuns: 50 },
    )
  })
})

describe('an amount of a rune as a decimal', () => {
  it.each([
    [0n, 0, '0'],
    [150n, 2, '1.5'],
    [100n, 2, '1'],
    [5n, 3, '0.005'],
    [2n ** 128n - 1n, 38, '3.40282366920938463463374607431768211455'],
  ])('%s with %s decimals is %s', (amount, divisibility, text) => {
    expect(formatDecimal(amount, divisibility)).toBe(text)
  })
})
