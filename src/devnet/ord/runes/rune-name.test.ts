import { u128 } from '@magiceden-oss/runestone-lib/dist/src/integer/index.js'
import { Rune } from '@magiceden-oss/runestone-lib/dist/src/rune.js'
import { SpacedRune } from '@magiceden-oss/runestone-lib/dist/src/spacedrune.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatRuneName,
  formatSpacedName,
  isReserved,
  minimumName,
  nameCommitment,
  parseRuneName,
  parseSpacedName,
} from './rune-name.ts'

const NUMBER = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })

describe('a name of a rune', () => {
  it.each([
    [0n, 'A'],
    [25n, 'Z'],
    [26n, 'AA'],
    [702n, 'AAA'],
    [2n ** 128n - 1n, 'BCGDENLQRQWDSLRUGSNLBTMFIJAV'],
  ])('%s is %s', (number, name) => {
    expect(formatRuneName(number)).toBe(name)
    expect(parseRuneName(name)).toBe(number)
  })

  it('is what another library says, as its commitment is', () => {
    fc.assert(
      fc.property(NUMBER, number => {
        const other = new Rune(u128(number))
        expect(formatRuneName(number)).toBe(other.toString())
        expect(parseRuneName(other.toString())).toBe(number)
        expect(Buffer.from(nameCommitment(number))).toEqual(other.commitment)
        expect(isReserved(number)).toBe(other.reserved)
      }),
    )
  })

  it('has its spacers where another library has them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[A-Z]{1,4}$/), { minLength: 1, maxLength: 6 }),
        words => {
          const name = words.join('•')
          const other = SpacedRune.fromString(name)
          const found = parseSpacedName(name)
          expect(found).toEqual({ rune: BigInt(other.rune.value), spacers: other.spacers })
          expect(found && formatSpacedName(found.rune, found.spacers)).toBe(name)
        },
      ),
    )
  })

  it.each(['', 'a', 'A B', '•A', 'A•', 'A••B', 'A•B1'])('is not "%s"', text => {
    expect(parseSpacedName(text)).toBeNull()
  })

  // `minimum_rune_for_next_block` of the status in ord's own tests (tests/json_api.rs), on regtest behind block 3.
  it('gets shorter with the blocks', () => {
    expect(minimumName(4)).toBe(99_218_849_511_960_410n)
    expect(minimumName(0) < (parseRuneName('AAAAAAAAAAAAA') ?? 0n)).toBe(true)
    expect(minimumName(17_499)).toBe(parseRuneName('AAAAAAAAAAAA'))
    expect(minimumName(209_999)).toBe(0n)
  })
})
