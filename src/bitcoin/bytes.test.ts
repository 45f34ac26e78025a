import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, equalBytes, fromBase64, fromHex, toBase64, toHex, toUtf8 } from './bytes.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

describe('hex', () => {
  it('writes and reads what Node writes and reads', () => {
    fc.assert(
      fc.property(bytes, value => {
        expect(toHex(value)).toBe(Buffer.from(value).toString('hex'))
        expect(fromHex(toHex(value).toUpperCase())).toEqual(value)
      }),
    )
  })

  it.each(['0', 'zz', '0x00', ' 00', '00 ', '00\n', '0g', '٠٠'])('refuses %j', text => {
    expect(() => fromHex(text)).toThrow('hex')
  })
})

describe('base64', () => {
  it('writes and reads what Node writes and reads', () => {
    fc.assert(
      fc.property(bytes, value => {
        expect(toBase64(value)).toBe(Buffer.from(value).toString('base64'))
        expect(fromBase64(toBase64(value))).toEqual(value)
      }),
    )
  })

  it('reads what is sixteen megabytes long', () => {
    const large = new Uint8Array(16 * 1024 * 1024)
    expect(fromBase64(toBase64(large))).toHaveLength(large.length)
  })

  it.each(['AA', 'AA=', 'AAA', 'AB==', 'AAB=', 'AA==\n', ' AA==', '_-8=', 'A', '=', 'AA==AA=='])(
    'refuses %j, which is not the canonical form of any bytes',
    text => {
      expect(() => fromBase64(text)).toThrow('base64')
    },
  )
})

describe('toUtf8', () => {
  it('encodes any well-formed text as Node does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(toUtf8(text)).toEqual(Uint8Array.from(Buffer.from(text, 'utf8')))
      }),
    )
  })

  it.each(['\ud83d', 'a\ude04', '\ude04\ud83d'])('refuses the lone surrogates of %j', text => {
    expect(() => toUtf8(text)).toThrow('surrogate')
  })
})

describe('concatBytes and equalBytes', () => {
  it('agree with Node', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(concatBytes(a, b)).toEqual(Uint8Array.from(Buffer.concat([a, b])))
        expect(equalBytes(a, b)).toBe(Buffer.compare(a, b) === 0)
        expect(equalBytes(a, a.slice())).toBe(true)
      }),
    )
  })
})
