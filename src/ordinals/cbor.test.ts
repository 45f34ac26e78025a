import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bitcoin/bytes.ts'
import { decodeCbor, encodeCbor, InvalidCborError, type Json } from './cbor.ts'

/** Examples of RFC 8949 appendix A that JSON has words for. */
const EXAMPLES: [Json, string][] = [
  [0, '00'],
  [1, '01'],
  [10, '0a'],
  [23, '17'],
  [24, '1818'],
  [25, '1819'],
  [100, '1864'],
  [1000, '1903e8'],
  [1_000_000, '1a000f4240'],
  [1_000_000_000_000, '1b000000e8d4a51000'],
  [-1, '20'],
  [-10, '29'],
  [-100, '3863'],
  [-1000, '3903e7'],
  [1.1, 'fb3ff199999999999a'],
  [1.0e300, 'fb7e37e43c8800759c'],
  [-4.1, 'fbc010666666666666'],
  [false, 'f4'],
  [true, 'f5'],
  [null, 'f6'],
  ['', '60'],
  ['a', '6161'],
  ['IETF', '6449455446'],
  ['"\\', '62225c'],
  ['\u00fc', '62c3bc'],
  ['\u6c34', '63e6b0b4'],
  ['\ud800\udd51', '64f0908591'],
  [[], '80'],
  [[1, 2, 3], '83010203'],
  [[1, [2, 3], [4, 5]], '8301820203820405'],
  [
    Array.from({ length: 25 }, (_, index) => index + 1),
    '98190102030405060708090a0b0c0d0e0f101112131415161718181819',
  ],
  [{}, 'a0'],
  [{ a: 1, b: [2, 3] }, 'a26161016162820203'],
  [['a', { b: 'c' }], '826161a161626163'],
  [{ a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' }, 'a56161614161626142616361436164614461656145'],
]

describe('CBOR of metadata', () => {
  it.each(EXAMPLES)('writes and reads %j as RFC 8949 does', (value, hex) => {
    expect(toHex(encodeCbor(value))).toBe(hex)
    expect(decodeCbor(fromHex(hex))).toEqual(value)
  })

  it('gives back whatever JSON it was given', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), text => {
        const value = JSON.parse(text) as Json
        expect(decodeCbor(encodeCbor(value))).toEqual(value)
      }),
    )
  })

  it('reads nothing else, and nothing of what is cut off', () => {
    // Undefined, bytes, a tag, an indefinite array, a number for a name, two values, a cut text, a length beyond all bytes.
    for (const hex of [
      'f7',
      '4101',
      'c11a514b67b0',
      '9fff',
      'a10102',
      '0000',
      '6261',
      '9affffffff',
    ])
      expect(() => decodeCbor(fromHex(hex)), hex).toThrow(InvalidCborError)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
        try {
          decodeCbor(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidCborError)
        }
      }),
    )
  })

  it('goes no deeper than anything that a person writes', () => {
    const nest = (depth: number): Json => (depth === 0 ? 1 : [nest(depth - 1)])
    expect(decodeCbor(encodeCbor(nest(32)))).toEqual(nest(32))
    expect(() => encodeCbor(nest(33))).toThrow(RangeError)
    expect(() => decodeCbor(fromHex(`${'81'.repeat(33)}01`))).toThrow(InvalidCborError)
  })
})
