import { Etching as OracleEtching } from '@magiceden-oss/runestone-lib/dist/src/etching.js'
import { u8, u32, u64, u128 } from '@magiceden-oss/runestone-lib/dist/src/integer/index.js'
import { None, type Option, Some } from '@magiceden-oss/runestone-lib/dist/src/monads.js'
import { Rune } from '@magiceden-oss/runestone-lib/dist/src/rune.js'
import { Runestone as OracleRunestone } from '@magiceden-oss/runestone-lib/dist/src/runestone.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import {
  assertEtching,
  encipherEtching,
  fieldsOf,
  InvalidEtchingError,
  type NewEtching,
  type NewTerms,
} from './etching.ts'
import { commitmentOf, parseRuneName } from './rune-name.ts'
import { decipherRunestone, type Etching } from './runestone.ts'
import { encipherRunestone } from './runestone-script.ts'

const U32 = 2n ** 32n - 1n
const U64 = 2n ** 64n - 1n
const U128 = 2n ** 128n - 1n
/** Of `Etching::MAX_SPACERS` in ord. */
const MAX_SPACERS = 0b00000111_11111111_11111111_11111111

const NOTHING: Etching = {
  divisibility: null,
  premine: null,
  rune: null,
  spacers: null,
  symbol: null,
  terms: null,
  turbo: false,
}
const NO_BLOCKS = { start: null, end: null }
const NO_EDICTS = { edicts: [], mint: null, pointer: null }

function some<T extends object | bigint | number | string>(value: T | null): Option<T> {
  return value === null ? None : Some(value)
}

function oracleOf(etching: Etching): OracleEtching {
  const { divisibility, rune, spacers, symbol, terms, premine, turbo } = etching
  const pair = ({ start, end }: { start: bigint | null; end: bigint | null }) =>
    [some(start === null ? null : u64(start)), some(end === null ? null : u64(end))] as const
  return new OracleEtching(
    some(divisibility === null ? null : u8(divisibility)),
    some(rune === null ? null : new Rune(u128(rune))),
    some(spacers === null ? null : u32(spacers)),
    some(symbol),
    some(
      terms && {
        amount: some(terms.amount === null ? null : u128(terms.amount)),
        cap: some(terms.cap === null ? null : u128(terms.cap)),
        height: pair(terms.height),
        offset: pair(terms.offset),
      },
    ),
    some(premine === null ? null : u128(premine)),
    turbo,
  )
}

const aSymbol = fc
  .nat({ max: 0x10ffff })
  .filter(point => point < 0xd800 || point > 0xdfff)
  .map(point => String.fromCodePoint(point))
const a64 = fc.option(fc.bigInt({ min: 0n, max: U64 }))
const a128 = fc.option(fc.bigInt({ min: 0n, max: U128 }))
const aRange = fc.record({ start: a64, end: a64 })
const anEtching = fc.record({
  divisibility: fc.option(fc.nat({ max: 38 })),
  premine: a128,
  rune: a128,
  spacers: fc.option(fc.nat({ max: MAX_SPACERS })),
  symbol: fc.option(aSymbol),
  terms: fc.option(fc.record({ amount: a128, cap: a128, height: aRange, offset: aRange })),
  turbo: fc.boolean(),
})

describe('the runestone of an etching', () => {
  it('is that of runestone-lib, byte for byte', () => {
    fc.assert(
      fc.property(anEtching, fc.option(fc.nat({ max: 4 })), (etching, pointer) => {
        const oracle = new OracleRunestone(
          None,
          pointer === null ? None : Some(u32(pointer)),
          [],
          Some(oracleOf(etching)),
        )
        const script = encipherRunestone({ etching, edicts: [], mint: null, pointer })
        expect(toHex(script)).toBe(oracle.encipher().toString('hex'))
      }),
    )
  })

  it('is read as what it was made of, unless more could be minted than fits 128 bits', () => {
    fc.assert(
      fc.property(anEtching, etching => {
        const read = decipherRunestone([encipherRunestone({ etching, ...NO_EDICTS })])
        const { premine, terms } = etching
        const supply = (premine ?? 0n) + (terms?.cap ?? 0n) * (terms?.amount ?? 0n)
        if (supply > U128) expect(read).toMatchObject({ flaw: 'supply-overflow' })
        else expect(read).toMatchObject({ kind: 'runestone', etching })
      }),
    )
  })

  it('is the one of ord’s own case with every field', () => {
    const script = encipherRunestone({
      etching: {
        divisibility: 7,
        premine: 8n,
        rune: 9n,
        spacers: 10,
        symbol: '@',
        terms: {
          amount: 14n,
          cap: 11n,
          height: { start: 12n, end: 13n },
          offset: { start: 15n, end: 16n },
        },
        turbo: true,
      },
      edicts: [
        { rune: '2:3', amount: 1n, output: 0 },
        { rune: '5:6', amount: 4n, output: 1 },
      ],
      mint: '17:18',
      pointer: 0,
    })
    // The integers of `encipher` in crates/ordinals/src/runestone.rs (CC0), each below 128 and so one byte.
    const integers = [
      [2, 0b111, 4, 9, 1, 7, 3, 10, 5, 0x40, 6, 8, 10, 14, 8, 11, 12, 12, 14, 13, 16, 15, 18, 16],
      [20, 17, 20, 18, 22, 0],
      [0, 2, 3, 1, 0, 3, 6, 4, 1],
    ].flat()
    expect([...script]).toEqual([0x6a, 0x5d, integers.length, ...integers])
  })

  // `runestone_size` there.
  it.each<[string, Partial<Etching>, number]>([
    ['the first name', { rune: 0n }, 7],
    ['decimals', { rune: 0n, divisibility: 38 }, 9],
    ['the last name', { rune: U128 }, 25],
    [
      'everything',
      {
        divisibility: 38,
        rune: U128,
        premine: U64,
        spacers: MAX_SPACERS,
        symbol: '\u{10FFFF}',
        turbo: true,
        terms: {
          cap: U32,
          amount: U64,
          height: { start: U32, end: U32 },
          offset: { start: U32, end: U32 },
        },
      },
      89,
    ],
  ])('has as many bytes as ord’s with %s', (_, fields, size) => {
    const etching = { ...NOTHING, ...fields }
    expect(encipherRunestone({ etching, ...NO_EDICTS })).toHaveLength(size)
  })
})

describe('the commitment to a name', () => {
  it('is that of runestone-lib', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: U128 }), rune => {
        expect(toHex(commitmentOf(rune))).toBe(new Rune(u128(rune)).commitment.toString('hex'))
      }),
    )
  })
})

const NAME = parseRuneName('UNCOMMON•GOODS•AND•MORE') ?? { rune: 0n, spacers: 0 }
const TERMS: NewTerms = { amount: 100n, cap: 1_000n, height: NO_BLOCKS, offset: NO_BLOCKS }
const GOOD: NewEtching = {
  name: NAME,
  divisibility: 2,
  symbol: '⧉',
  premine: 5_000n,
  terms: TERMS,
  turbo: false,
}
const PLACE = { network: 'mainnet', height: 900_000 } as const

describe('what may be etched', () => {
  it('is read from its runestone as it was meant', () => {
    assertEtching(GOOD, PLACE)
    const read = decipherRunestone([Uint8Array.of(0x51), encipherEtching(GOOD, 0)])
    expect(read).toMatchObject({ kind: 'runestone', etching: fieldsOf(GOOD), pointer: 0 })
  })

  it('leaves out of its runestone what is nothing', () => {
    const bare = { ...GOOD, name: { ...NAME, spacers: 0 }, divisibility: 0, premine: 0n }
    const { divisibility, spacers, premine } = fieldsOf(bare)
    expect([divisibility, spacers, premine]).toEqual([null, null, null])
  })

  it.each<[string, Partial<NewEtching>]>([
    ['all of 128 bits before any mint', { premine: U128, terms: null }],
    ['all of 128 bits by mints', { premine: 0n, terms: { ...TERMS, cap: 1n, amount: U128 } }],
    // 2^127 and 2^127 - 1 times one.
    [
      'all of 128 bits by both',
      { premine: 2n ** 127n, terms: { ...TERMS, cap: 2n ** 127n - 1n, amount: 1n } },
    ],
    ['most decimals', { divisibility: 38 }],
    ['a symbol beyond 16 bits', { symbol: '🐶' }],
    ['a block to start at', { terms: { ...TERMS, height: { start: 900_001n, end: 900_002n } } }],
    [
      'a mint that starts with the etching',
      { terms: { ...TERMS, offset: { start: 0n, end: 1n } } },
    ],
  ])('may have %s', (_, changes) => {
    expect(() => assertEtching({ ...GOOD, ...changes }, PLACE)).not.toThrow()
  })

  it.each<[string, string, Partial<NewEtching>]>([
    ['name', 'reserved', { name: { rune: 6402364363415443603228541259936211926n, spacers: 0 } }],
    // At this height names of nine letters are unlocked, the last of the alphabet first.
    ['name', 'locked', { name: parseRuneName('AAAAAAAAA') ?? NAME }],
    ['divisibility', 'out-of-range', { divisibility: 39 }],
    ['divisibility', 'out-of-range', { divisibility: -1 }],
    ['divisibility', 'out-of-range', { divisibility: 1.5 }],
    ['symbol', 'not-one-character', { symbol: '' }],
    ['symbol', 'not-one-character', { symbol: 'ab' }],
    ['symbol', 'not-one-character', { symbol: '⚠️' }],
    ['symbol', 'not-one-character', { symbol: '\u202e' }],
    ['symbol', 'not-one-character', { symbol: '\ud800' }],
    ['symbol', 'not-one-character', { symbol: ' ' }],
    // An accent for what stands before it, a variation selector, and three that look like nothing.
    ['symbol', 'not-one-character', { symbol: '\u0301' }],
    ['symbol', 'not-one-character', { symbol: '\ufe0f' }],
    ['symbol', 'not-one-character', { symbol: '\u3164' }],
    ['symbol', 'not-one-character', { symbol: '\u2800' }],
    ['symbol', 'not-one-character', { symbol: '\uffa0' }],
    ['premine', 'out-of-range', { premine: -1n }],
    ['premine', 'out-of-range', { premine: U128 + 1n, terms: null }],
    ['supply', 'nothing', { premine: 0n, terms: null }],
    ['supply', 'too-large', { premine: U128, terms: { ...TERMS, cap: 1n, amount: 1n } }],
    ['terms.amount', 'nothing', { terms: { ...TERMS, amount: 0n } }],
    ['terms.cap', 'nothing', { terms: { ...TERMS, cap: 0n } }],
    [
      'terms.height.end',
      'ends-before-start',
      { terms: { ...TERMS, height: { start: 900_005n, end: 900_005n } } },
    ],
    [
      'terms.offset.end',
      'ends-before-start',
      { terms: { ...TERMS, offset: { start: 5n, end: 4n } } },
    ],
    [
      'terms.height.start',
      'too-early',
      { terms: { ...TERMS, height: { start: 900_000n, end: null } } },
    ],
    [
      'terms.height.end',
      'too-early',
      { terms: { ...TERMS, height: { start: null, end: 900_000n } } },
    ],
    ['terms.offset.end', 'too-early', { terms: { ...TERMS, offset: { start: null, end: 0n } } }],
    [
      'terms.offset.start',
      'out-of-range',
      { terms: { ...TERMS, offset: { start: U64 + 1n, end: null } } },
    ],
    [
      'runestone',
      'too-long',
      {
        name: { rune: 2n ** 122n, spacers: MAX_SPACERS },
        premine: 2n ** 126n,
        terms: {
          amount: 2n ** 62n,
          cap: 2n ** 60n,
          height: { start: 2n ** 60n, end: 2n ** 61n },
          offset: { start: 2n ** 60n, end: 2n ** 61n },
        },
      },
    ],
  ])('has no %s that is %s', (field, fault, changes) => {
    const refused = () => assertEtching({ ...GOOD, ...changes }, PLACE)
    expect(refused).toThrow(InvalidEtchingError)
    expect(refused).toThrow(expect.objectContaining({ field, fault }))
  })

  it('may have a name as soon as the block of the etching unlocks it', () => {
    // `unlock_height` of ord: NNNN at 988,400.
    const etching = { ...GOOD, name: parseRuneName('NNNN') ?? NAME }
    expect(() => assertEtching(etching, { network: 'mainnet', height: 988_399 })).toThrow('locked')
    expect(() => assertEtching(etching, { network: 'mainnet', height: 988_400 })).not.toThrow()
  })
})
