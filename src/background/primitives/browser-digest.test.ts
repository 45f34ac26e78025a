import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { authenticateText, digestInBrowser, hashText } from './browser-digest.ts'
import { digestOf } from './digest.ts'

/** Text of every kind, without what UTF-8 cannot express. */
const text = fc.string({ unit: 'binary', maxLength: 300 })

describe('hashes by the browser', () => {
  it('are those of FIPS 180-4 and RFC 4231', async () => {
    expect(await hashText('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    expect(await authenticateText(utf8ToBytes('Jefe'), 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  it('are those of the library for any text and key', async () => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 130 })
    await fc.assert(
      fc.asyncProperty(text, key, async (message, secret) => {
        const bytes = utf8ToBytes(message)
        expect(await hashText(message)).toBe(bytesToHex(sha256(bytes)))
        expect(await authenticateText(secret, message)).toBe(
          bytesToHex(hmac(sha256, secret, bytes)),
        )
      }),
    )
  })

  it('give the digest of a value that the library gives, lone surrogates and keys in any order too', async () => {
    const string = fc.string({ unit: fc.integer({ max: 0xffff }).map(u => String.fromCharCode(u)) })
    const value = fc.anything({
      key: string,
      values: [string, fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined)],
    })
    await fc.assert(
      fc.asyncProperty(value, async one => {
        expect(await digestInBrowser(one)).toBe(digestOf(one))
      }),
    )
    expect(await digestInBrowser({ b: '\ud800', a: [undefined, 1] })).toBe(
      await digestInBrowser({ a: [null, 1], b: '\ud800', c: undefined }),
    )
  })
})
