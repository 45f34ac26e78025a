import { describe, expect, it } from 'vitest'
import { coinAt, ordOutput } from '../testing/scripted-ord.ts'
import { parseOutput } from './ord-json.ts'

const parse = (sat_ranges: unknown) => parseOutput({ ...ordOutput(coinAt(1)), sat_ranges }).rareSats

describe('the sat ranges of an output', () => {
  it('tell its rare sats and where they are in it', () => {
    // The first sat of block 1, by ord's tests uncommon.
    const first = 5_000_000_000
    expect(
      parse([
        [7_777, 7_800],
        [first - 40, first + 10],
      ]),
    ).toEqual([{ sat: 5_000_000_000n, offset: 63n }])
    expect(parse([[first + 1, first + 1_000]])).toEqual([])
    expect(parse(null)).toBeNull()
    expect(parse(undefined)).toBeNull()
  })

  it.each([[[[5, 5]]], [[[1, 2, 3]]], [[[9, 0]]], [[[0, 2_099_999_997_690_001]]], ['all']])(
    'are refused where they are none: %j',
    ranges => {
      expect(() => parse(ranges)).toThrow('output.sat_ranges')
    },
  )
})
