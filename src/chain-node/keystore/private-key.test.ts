import { computeAddress, SigningKey } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeHex } from '../codec/hex.ts'
import { nativeSecp256k1, portableSecp256k1 } from '../engine/crypto.ts'
import { createPrivateKey, deriveAddress, parsePrivateKey } from './private-key.ts'

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

describe('createPrivateKey', () => {
  it('makes another key each time', () => {
    const keys = Array.from({ length: 100 }, () => createPrivateKey().toString('hex'))
    expect(new Set(keys).size).toBe(100)
    for (const key of keys) expect(parsePrivateKey(key).toString('hex')).toBe(key)
  })
})

describe('deriveAddress', () => {
  it('gives the address of ethers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: BigInt(`0x${ORDER}`) - 1n }), scalar => {
        const key = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
        expect(deriveAddress(key)).toBe(computeAddress(encodeHex(key)).toLowerCase())
      }),
      { numRuns: 30 },
    )
  })
})

describe('derivePublicKey', () => {
  const libraries = { native: nativeSecp256k1, portable: portableSecp256k1 }

  it.each(Object.entries(libraries).filter(([, library]) => library))(
    'of the %s library gives the public key of ethers, and throws for no key',
    (_, library) => {
      const key = Buffer.from('4c'.repeat(32), 'hex')
      const expected = `0x${new SigningKey(key).publicKey.slice(4)}`
      expect(encodeHex(library?.derivePublicKey(key) ?? key)).toBe(expected)
      for (const digits of ['00'.repeat(32), ORDER, 'ff'.repeat(32), 'ab'.repeat(31)]) {
        expect(() => library?.derivePublicKey(Buffer.from(digits, 'hex'))).toThrow()
      }
    },
  )
})

describe('parsePrivateKey', () => {
  it.each(['', '0x', '0X'])('takes the prefix "%s"', prefix => {
    expect(parsePrivateKey(prefix + 'Ab'.repeat(32)).toString('hex')).toBe('ab'.repeat(32))
  })

  // Geth's texts: crypto.HexToECDSA.
  it.each([
    ['xy', "invalid hex character 'x' in private key"],
    ['0xzz', "invalid hex character 'z' in private key"],
    [`${'00'.repeat(31)}0`, 'invalid hex data for private key'],
    ['00'.repeat(31), 'invalid length, need 256 bits'],
    ['', 'invalid length, need 256 bits'],
    ['ab'.repeat(64), 'invalid length, need 256 bits'],
    ['00'.repeat(32), 'invalid private key, zero or negative'],
    [ORDER, 'invalid private key, >=N'],
    ['ff'.repeat(32), 'invalid private key, >=N'],
  ])('refuses %s', (text, reason) => {
    expect(() => parsePrivateKey(text)).toThrow(reason)
  })
})
