import { decodeToDataItem, encodeDataItem } from '@keystonehq/bc-ur-registry'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { type Cbor, CborTag, decodeCbor, encodeCbor } from './cbor.ts'

/** RFC 8949, appendix A: those of its examples that are of a kind that codes hold. */
const EXAMPLES: [string, Cbor][] = [
  ['00', 0],
  ['17', 23],
  ['1818', 24],
  ['1903e8', 1000],
  ['1a000f4240', 1_000_000],
  ['1b000000e8d4a51000', 1_000_000_000_000],
  ['20', -1],
  ['3903e7', -1000],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['c11a514b67b0', new CborTag(1, 1_363_896_240)],
  ['4401020304', fromHex('01020304')],
  ['6161', 'a'],
  ['62c3bc', 'ü'],
  ['80', []],
  ['8301820203820405', [1, [2, 3], [4, 5]]],
  ['a0', new Map()],
  [
    'a201020304',
    new Map([
      [1, 2],
      [3, 4],
    ]),
  ],
  [
    'a26161016162820203',
    new Map<string, Cbor>([
      ['a', 1],
      ['b', [2, 3]],
    ]),
  ],
]

describe('CBOR', () => {
  it.each(EXAMPLES)('%s is the item of RFC 8949', (hex, item) => {
    expect(decodeCbor(fromHex(hex))).toEqual(item)
    expect(toHex(encodeCbor(item))).toBe(hex)
  })

  it.each([
    ['', 'end too early'],
    ['0000', 'expected the end'],
    ['1817', 'shortest form'],
    ['190017', 'shortest form'],
    ['1a0000ffff', 'shortest form'],
    ['1b00000000ffffffff', 'shortest form'],
    ['1bffffffffffffffff', 'below 2^53'],
    ['5f42010243030405ff', 'indefinite length'],
    ['9fff', 'indefinite length'],
    ['f93c00', 'no float'],
    ['f7', 'simple value 23'],
    ['a2010201 03'.replace(' ', ''), 'each key once'],
    ['a18001', 'a number or a text as key'],
    ['61ff', 'expected UTF-8'],
    ['5b001fffffffffffff00', 'end too early'],
    ['9b001fffffffffffff00', 'end too early'],
    ['bb001fffffffffffff00', 'end too early'],
    [`${'81'.repeat(17)}00`, 'at most 16 levels'],
  ])('%s is refused: %s', (hex, message) => {
    expect(() => decodeCbor(fromHex(hex))).toThrow(message)
  })

  // Keystone's library brings a reader and writer of its own.
  it('is read and written alike by another library', () => {
    const item = fc.letrec<{ item: Cbor }>(tie => ({
      item: fc.oneof(
        { maxDepth: 4 },
        fc.nat(),
        fc.integer({ min: -1000, max: -1 }),
        fc.boolean(),
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array(),
        fc.array(tie('item'), { maxLength: 4 }),
      ),
    })).item
    fc.assert(
      fc.property(item, value => {
        const ours = encodeCbor(value)
        expect(decodeCbor(ours)).toEqual(value)
        expect(toHex(encodeDataItem(decodeToDataItem(Buffer.from(ours))))).toBe(toHex(ours))
      }),
    )
  })
})
