import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { type CborValue, decodePayload } from './atomical-payload.ts'

/** What the map { 0: value } has at 0, of the value's CBOR in hex; undefined where it is no map. */
function decode(hex: string): CborValue | undefined {
  return decodePayload(fromHex(`a100${hex}`))?.get(0n)
}

describe('decodePayload', () => {
  it.each<[string, CborValue]>([
    ['00', 0n],
    ['17', 23n],
    ['1818', 24n],
    ['1903e8', 1000n],
    ['1a000f4240', 1000000n],
    ['1b000000e8d4a51000', 1000000000000n],
    ['1bffffffffffffffff', 18446744073709551615n],
    ['c249010000000000000000', 18446744073709551616n],
    ['3bffffffffffffffff', -18446744073709551616n],
    ['c349010000000000000000', -18446744073709551617n],
    ['20', -1n],
    ['3903e7', -1000n],
    ['f90000', 0],
    ['f93c00', 1],
    ['fb3ff199999999999a', 1.1],
    ['f97bff', 65504],
    ['fa47c35000', 100000],
    ['f90001', 2 ** -24],
    ['f90400', 0.00006103515625],
    ['f9c400', -4],
    ['f97c00', Number.POSITIVE_INFINITY],
    ['f97e00', Number.NaN],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['40', new Uint8Array()],
    ['4401020304', Uint8Array.of(1, 2, 3, 4)],
    ['60', ''],
    ['6449455446', 'IETF'],
    ['62c3bc', 'ü'],
    ['80', []],
    ['83010203', [1n, 2n, 3n]],
    ['8301820203820405', [1n, [2n, 3n], [4n, 5n]]],
    [
      'a201020304',
      new Map([
        [1n, 2n],
        [3n, 4n],
      ]),
    ],
    [
      'a26161016162820203',
      new Map<string, CborValue>([
        ['a', 1n],
        ['b', [2n, 3n]],
      ]),
    ],
    ['5f42010243030405ff', Uint8Array.of(1, 2, 3, 4, 5)],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['9fff', []],
    ['9f018202039f0405ffff', [1n, [2n, 3n], [4n, 5n]]],
    [
      'bf61610161629f0203ffff',
      new Map<string, CborValue>([
        ['a', 1n],
        ['b', [2n, 3n]],
      ]),
    ],
    ['d9d9f701', 1n],
  ])('reads %s of RFC 8949, appendix A', (hex, value) => {
    expect(decode(hex)).toEqual(value)
  })

  it.each(['f7', 'f0', 'f8ff', 'c11a514b67b0', 'd74401020304', `c258${'41'}${'01'.repeat(65)}`])(
    'looks into %s no further',
    hex => {
      expect(decode(hex)).toEqual({ opaque: true })
    },
  )

  it.each([
    ['what is no map', '83010203'],
    ['no bytes', ''],
    ['a map that is cut off', 'a16161'],
    ['a length of more than there is', 'a1005a7fffffff01'],
    ['a count of more than there is', 'bb7fffffffffffffff0000'],
    ['text that is not UTF-8', 'a10061ff'],
    ['additional information that nobody knows', 'a1001c'],
    ['an end of nothing', 'a100ff'],
    ['a string in parts of another kind', 'a1005f6161ff'],
    ['thousands of lists in each other', `a100${'81'.repeat(5_000)}01`],
  ])('reads nothing of %s', (_, hex) => {
    expect(decodePayload(fromHex(hex))).toBeNull()
  })

  it('leaves out what follows the map', () => {
    expect(decodePayload(fromHex('a10001ffff'))).toEqual(new Map([[0n, 1n]]))
  })

  it('throws for no bytes at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        expect(() => decodePayload(Uint8Array.of(0xbf, ...bytes))).not.toThrow()
      }),
      { numRuns: 2_000 },
    )
  })
})
