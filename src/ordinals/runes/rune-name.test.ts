import { u32, u64, u128 } from '@magiceden-oss/runestone-lib/dist/src/integer/index.js'
import { Rune as OracleRune } from '@magiceden-oss/runestone-lib/dist/src/rune.js'
import { SpacedRune as OracleSpaced } from '@magiceden-oss/runestone-lib/dist/src/spacedrune.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { commitmentOf, formatRuneName, parseRuneName, reservedRuneOf } from './rune-name.ts'

const U128 = 2n ** 128n - 1n

describe('the name of a rune', () => {
  // ord, crates/ordinals/src/rune.rs, `round_trip` (CC0).
  it.each([
    ['A', 0n],
    ['Z', 25n],
    ['AA', 26n],
    ['AZ', 51n],
    ['BA', 52n],
    ['BCGDENLQRQWDSLRUGSNLBTMFIJAV', U128],
  ])('%s is the number %s', (name, rune) => {
    expect(parseRuneName(name)).toEqual({ rune, spacers: 0 })
    expect(formatRuneName({ rune, spacers: 0 })).toBe(name)
  })

  // ord, crates/ordinals/src/spaced_rune.rs (CC0).
  it.each([
    ['A.B', 'AB', 0b1],
    ['A.B.C', 'ABC', 0b11],
    ['A•B', 'AB', 0b1],
    ['A•B•C', 'ABC', 0b11],
    ['A•BC', 'ABC', 0b1],
  ])('%s is %s with the spacers %s', (text, name, spacers) => {
    expect(parseRuneName(text)).toEqual({ rune: parseRuneName(name)?.rune, spacers })
  })

  it.each([
    '',
    '•',
    '•A',
    'A•',
    'A••B',
    'a',
    'A B',
    'Ä',
    'BCGDENLQRQWDSLRUGSNLBTMFIJAW',
    'A'.repeat(29),
  ])('is not %o', text => {
    expect(parseRuneName(text)).toBeNull()
  })

  it('leaves out spacers that stand behind its end', () => {
    expect(formatRuneName({ rune: 0n, spacers: 0b11 })).toBe('A')
    expect(formatRuneName({ rune: 26n, spacers: 0b111 })).toBe('A•A')
  })

  it('is read, written, committed to and reserved as by runestone-lib', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: U128 }),
        fc.nat({ max: 2 ** 27 - 1 }),
        fc.nat({ max: 2 ** 31 - 1 }),
        (rune, spacers, height) => {
          const oracle = new OracleRune(u128(rune))
          const text = new OracleSpaced(oracle, spacers).toString()
          expect(formatRuneName({ rune, spacers })).toBe(text)
          const read = OracleSpaced.fromString(text)
          expect(parseRuneName(text)).toEqual({ rune: read.rune.value, spacers: read.spacers })
          expect(toHex(commitmentOf(rune))).toBe(oracle.commitment.toString('hex'))
          expect(reservedRuneOf(`${height}:${spacers}`)).toBe(
            OracleRune.getReserved(u64(height), u32(spacers)).value,
          )
        },
      ),
    )
  })
})
