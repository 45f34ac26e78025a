import { describe, expect, it } from 'vitest'
import { copyBytes, decodeHex, decodeText, encodeHex, readBase64 } from './bytes.ts'

const all = Uint8Array.from({ length: 256 }, (_, i) => i)

describe('bytes', () => {
  it('become hex and base64, and come back, as Node has them', () => {
    expect(encodeHex(all)).toBe(Buffer.from(all).toString('hex'))
    expect(decodeHex(Buffer.from(all).toString('hex'))).toEqual(all)
    expect(readBase64(Buffer.from(all).toString('base64'))).toEqual(all)
    expect([encodeHex(new Uint8Array()), decodeHex(''), readBase64('')]).toEqual([
      '',
      new Uint8Array(),
      new Uint8Array(),
    ])
  })

  it('are copied as they are, whatever the page says of their length', () => {
    const given = Buffer.from([1, 2, 3])
    Object.defineProperty(given, 'length', { value: 1 })
    const copy = copyBytes(given)
    given[0] = 9
    expect(copy).toEqual(new Uint8Array([1, 2, 3]))
  })

  it.each([
    [[1, 2]],
    ['text'],
    [new ArrayBuffer(2)],
    [new DataView(new ArrayBuffer(2))],
    [undefined],
  ])('are not taken from %s', value => {
    expect(() => copyBytes(value)).toThrow(TypeError)
    expect(() => encodeHex(value)).toThrow(TypeError)
  })

  it('are text where they are UTF-8, with its byte order mark', () => {
    expect(decodeText(Buffer.from('\ufeffé🐋'))).toBe('\ufeffé🐋')
    expect(() => decodeText(new Uint8Array([0xff]))).toThrow(TypeError)
    expect(() => decodeText(new Uint8Array([0xed, 0xa0, 0x80]))).toThrow(TypeError)
  })
})
