import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHex, decodeText, encodeHex, encodeText, readBase64 } from './bytes.ts'

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

  it('are read as they are, whatever the page says of their length', () => {
    const given = Buffer.from([1, 2, 3])
    Object.defineProperty(given, 'length', { value: 1 })
    expect(encodeHex(given)).toBe('010203')
  })

  it.each([
    [[1, 2]],
    ['text'],
    [new ArrayBuffer(2)],
    [new DataView(new ArrayBuffer(2))],
    [undefined],
  ])('are not taken from %s', value => {
    expect(() => encodeHex(value)).toThrow(TypeError)
    expect(() => decodeText(value)).toThrow(TypeError)
  })

  it('are text where they are UTF-8, with its byte order mark', () => {
    expect(decodeText(Buffer.from('\ufeffé🐋'))).toBe('\ufeffé🐋')
    expect(() => decodeText(new Uint8Array([0xff]))).toThrow(URIError)
    expect(() => decodeText(new Uint8Array([0xed, 0xa0, 0x80]))).toThrow(URIError)
    expect(() => encodeText('\ud800')).toThrow(URIError)
  })

  it('are all of a text’s, whatever the page says of lengths', () => {
    const prototype = Object.getPrototypeOf(Uint8Array.prototype)
    const length = Object.getOwnPropertyDescriptor(prototype, 'length') as PropertyDescriptor
    const bytes = Uint8Array.from(Buffer.from('hello'))
    Object.defineProperty(prototype, 'length', { get: () => 1, configurable: true })
    let text = ''
    try {
      text = decodeText(bytes)
    } finally {
      Object.defineProperty(prototype, 'length', length)
    }
    expect(text).toBe('hello')
  })

  it('are taken for the same text as by TextEncoder and TextDecoder, or not at all', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const units = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
    fc.assert(
      fc.property(units, text => {
        fc.pre(text.isWellFormed())
        expect(encodeText(text)).toEqual(new TextEncoder().encode(text))
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), bytes => {
        let expected: string | undefined
        try {
          expected = decoder.decode(bytes)
        } catch {}
        if (expected === undefined) expect(() => decodeText(bytes)).toThrow(URIError)
        else expect(decodeText(bytes)).toBe(expected)
      }),
    )
  })
})
