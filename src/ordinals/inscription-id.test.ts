import { InscriptionId as OracleId } from 'micro-ordinals'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../bitcoin/bytes.ts'
import {
  decodeInscriptionId,
  encodeInscriptionId,
  formatInscriptionId,
  parseInscriptionId,
} from './inscription-id.ts'

const TXID = '6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799'
const COUNTING = Uint8Array.from({ length: 32 }, (_, i) => i)
const COUNTING_TXID = '1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100'

describe('an inscription id', () => {
  it.each([0, 1, 4_294_967_295])('of index %i is read and written back', index => {
    expect(parseInscriptionId(`${TXID}i${index}`)).toEqual({ txid: TXID, index })
    expect(formatInscriptionId({ txid: TXID, index })).toBe(`${TXID}i${index}`)
  })

  it.each([
    '',
    TXID,
    `${TXID}i`,
    `${TXID}x0`,
    `${TXID}:0`,
    `${TXID}I0`,
    `${TXID}i-1`,
    `${TXID}i+1`,
    `${TXID}i01`,
    `${TXID}i1.0`,
    `${TXID}i4294967296`,
    `${TXID}i99999999999`,
    `${TXID}ifoo`,
    `${TXID}i0 `,
    `${TXID}i0\n`,
    ` ${TXID}i0`,
    `${TXID.toUpperCase()}i0`,
    `${TXID.slice(1)}i0`,
    `x${TXID.slice(1)}i0`,
    '→',
  ])('is never read from %j', text => {
    expect(parseInscriptionId(text)).toBeNull()
    expect(() => encodeInscriptionId(text)).toThrow('inscription id')
  })
})

describe('an inscription id in a field', () => {
  it.each([
    ['', 0],
    ['01', 1],
    ['0102', 513],
    ['010203', 197_121],
    ['01020304', 67_305_985],
    ['00020304', 67_305_984],
    ['ffffffff', 4_294_967_295],
  ])('with the index bytes "%s" has index %i, both ways', (bytes, index) => {
    const value = Uint8Array.from([...COUNTING, ...fromHex(bytes)])
    const id = `${COUNTING_TXID}i${index}`
    expect(decodeInscriptionId(value)).toBe(id)
    expect(encodeInscriptionId(id)).toEqual(value)
    expect(OracleId.encode(id)).toEqual(value)
  })

  it.each([
    ['00000000', 0],
    ['01000000', 1],
  ])('may have trailing zeros at its full length: %s', (bytes, index) => {
    const value = Uint8Array.from([...COUNTING, ...fromHex(bytes)])
    expect(decodeInscriptionId(value)).toBe(`${COUNTING_TXID}i${index}`)
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['less than a txid', COUNTING.subarray(1)],
    ['one zero too many', Uint8Array.from([...COUNTING, 0])],
    ['a shortened index with a trailing zero', Uint8Array.from([...COUNTING, 1, 2, 0])],
    ['five bytes of index', Uint8Array.from([...COUNTING, 1, 2, 3, 4, 5])],
  ])('is not read from %s', (_, value) => {
    expect(decodeInscriptionId(value)).toBeNull()
  })
})
