import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findRareSats,
  nameOfSat,
  placeOfSat,
  rarityOf,
  SAT_SUPPLY,
  startingSat,
} from './rare-sats.ts'

// Values of the tests of ord's crate `ordinals`, rarity.rs and sat.rs (https://github.com/ordinals/ord, CC0-1.0).
const BLOCK = 50n * 100_000_000n
const RARITY: [sat: bigint, rarity: string | null][] = [
  [0n, 'mythic'],
  [1n, null],
  [BLOCK - 1n, null],
  [BLOCK, 'uncommon'],
  [BLOCK + 1n, null],
  [BLOCK * 2_016n - 1n, null],
  [BLOCK * 2_016n, 'rare'],
  [BLOCK * 2_016n + 1n, null],
  [BLOCK * 210_000n - 1n, null],
  [BLOCK * 210_000n, 'epic'],
  [BLOCK * 210_000n + 1n, null],
  [2_067_187_500_000_000n - 1n, null],
  [2_067_187_500_000_000n, 'legendary'],
  [2_067_187_500_000_000n + 1n, null],
]
const NAMES: [sat: bigint, name: string][] = [
  [0n, 'nvtdijuwxlp'],
  [1n, 'nvtdijuwxlo'],
  [26n, 'nvtdijuwxkp'],
  [27n, 'nvtdijuwxko'],
  [2_099_999_997_689_999n, 'a'],
  [2_099_999_997_689_998n, 'b'],
  [2_099_999_997_689_974n, 'z'],
  [2_099_999_997_689_973n, 'aa'],
]
const HEIGHTS: [sat: bigint, height: number][] = [
  [0n, 0],
  [1n, 0],
  [BLOCK, 1],
  [2n * BLOCK, 2],
  [1_575_000_000_000_000n, 420_000],
  [2_099_999_997_689_999n, 6_929_999],
  [2_099_999_997_689_998n, 6_929_998],
]

describe('the number of a sat', () => {
  it.each(RARITY)('%s is as rare as ord says', (sat, rarity) => {
    expect(rarityOf(sat)).toBe(rarity)
  })

  it.each(NAMES)('%s has the name that ord gives it', (sat, name) => {
    expect(nameOfSat(sat)).toBe(name)
  })

  it.each(HEIGHTS)('%s is of the block that ord says', (sat, height) => {
    expect(placeOfSat(sat).height).toBe(height)
  })

  it('ends where the last block pays one, and there are as many rare ones as ord’s documentation counts', () => {
    expect(startingSat(6_930_000)).toBeNull()
    expect((startingSat(6_929_999) ?? 0n) + 1n).toBe(SAT_SUPPLY)
    // https://docs.ordinals.com/overview.html, total supply.
    const counts = new Map<string, number>()
    for (let height = 0; height < 6_930_000; height++) {
      const rarity = rarityOf(startingSat(height) ?? 1n) ?? 'common'
      counts.set(rarity, (counts.get(rarity) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toEqual({
      ...{ uncommon: 6_926_535, rare: 3_432, epic: 27, legendary: 5, mythic: 1 },
    })
  }, 60_000)
})

describe('rare sats of a coin', () => {
  it('are those that a walk over every block of its ranges finds, at their places in the coin', () => {
    const range = fc
      .tuple(fc.bigInt({ min: 0n, max: SAT_SUPPLY - 1n }), fc.bigInt({ min: 1n, max: BLOCK * 30n }))
      .map(([start, length]) => ({
        start,
        end: start + length < SAT_SUPPLY ? start + length : SAT_SUPPLY,
      }))
      .filter(({ start }) => start < 1_050_000_000_000_000n)
    fc.assert(
      fc.property(fc.array(range, { maxLength: 4 }), ranges => {
        const walked: { sat: bigint; offset: bigint }[] = []
        let before = 0n
        for (const { start, end } of ranges) {
          // Up to the first halving and 30 blocks beyond, where a block pays 25.
          for (let sat = 0n; sat < end; sat += sat < 1_050_000_000_000_000n ? BLOCK : BLOCK / 2n)
            if (sat < start) sat = start - (start % BLOCK) - (start % BLOCK === 0n ? BLOCK : 0n)
            else walked.push({ sat, offset: before + sat - start })
          before += end - start
        }
        expect(findRareSats(ranges, 1_000)).toEqual(walked)
      }),
      { numRuns: 300 },
    )
  })

  it('are the rarest where there are more than can be listed, however long the range is', () => {
    const [first, ...others] = findRareSats([{ start: 0n, end: SAT_SUPPLY }], 6)
    expect(first).toEqual({ sat: 0n, offset: 0n })
    expect(others.map(({ sat }) => rarityOf(sat))).toEqual(Array(5).fill('legendary'))
  })
})
