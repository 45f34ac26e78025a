import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { addressOfScript } from './address.ts'
import { concatBytes, fromHex, toHex } from './bytes.ts'
import {
  ECDSA_SIGNATURE_SIZE,
  publicKeyOf,
  signEcdsa,
  signSchnorr,
  taprootOutputKey,
  verifyEcdsa,
  verifySchnorr,
} from './secp256k1.ts'
import { privateKeys } from './testing/keys.ts'
import bip340 from './testing/vectors/bip340.json' with { type: 'json' }
import bip341 from './testing/vectors/bip341-wallet.json' with { type: 'json' }
import wycheproof from './testing/vectors/wycheproof-ecdsa.json' with { type: 'json' }

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('signEcdsa', () => {
  it('always makes a signature of the same size that verifies', () => {
    fc.assert(
      fc.property(hashes, privateKeys, (hash, key) => {
        const signature = signEcdsa(hash, key)
        expect(signature).toHaveLength(ECDSA_SIGNATURE_SIZE)
        expect(verifyEcdsa(hash, publicKeyOf(key), signature)).toBe(true)
        expect(signEcdsa(hash, key)).toEqual(signature)
      }),
      { numRuns: 300 },
    )
  })
})

describe('verifyEcdsa', () => {
  it('judges all 463 signatures of the Wycheproof bitcoin suite as it says', () => {
    let count = 0
    for (const { publicKey, tests } of wycheproof)
      for (const { tcId, msg, sig, result } of tests) {
        const hash = Uint8Array.from(createHash('sha256').update(fromHex(msg)).digest())
        const signature = concatBytes(fromHex(sig), Uint8Array.of(1))
        const verdict = verifyEcdsa(hash, compress(publicKey), signature)
        expect(verdict, `test ${tcId}`).toBe(result === 'valid')
        count++
      }
    expect(count).toBe(463)
  })
})

describe('BIP-340', () => {
  // The library hashes 32-byte messages alone, which is all that a transaction needs.
  const vectors = bip340.filter(({ message }) => message.length === 64)

  it('gives the signatures of its vectors', () => {
    const signing = vectors.filter(({ secretKey }) => secretKey !== '')
    expect(signing).toHaveLength(4)
    for (const { secretKey, auxRand, message, signature } of signing) {
      const signed = signSchnorr(fromHex(message), fromHex(secretKey), fromHex(auxRand))
      expect(toHex(signed).toUpperCase()).toBe(signature)
    }
  })

  it('judges the signatures of its vectors as they say', () => {
    expect(vectors).toHaveLength(15)
    for (const { index, publicKey, message, signature, valid } of vectors) {
      const verify = () => verifySchnorr(fromHex(message), fromHex(publicKey), fromHex(signature))
      expect(attempt(verify), `vector ${index}`).toBe(valid)
    }
  })
})

describe('taprootOutputKey', () => {
  it('gives the output of BIP-341 for a key without scripts', () => {
    const keyOnly = bip341.scriptPubKey.filter(({ given }) => given.scriptTree === null)
    expect(keyOnly).toHaveLength(1)
    for (const { given, expected } of keyOnly) {
      const publicKey = fromHex(`02${given.internalPubkey}`)
      const script = concatBytes(Uint8Array.of(0x51, 32), taprootOutputKey(publicKey))
      expect(toHex(script)).toBe(expected.scriptPubKey)
      expect(addressOfScript(script, 'mainnet')).toBe(expected.bip350Address)
    }
  })
})

function compress(uncompressed: string): Uint8Array {
  const odd = Number.parseInt(uncompressed.slice(-1), 16) % 2 === 1
  return fromHex((odd ? '03' : '02') + uncompressed.slice(2, 66))
}

function attempt(verify: () => boolean): boolean {
  try {
    return verify()
  } catch {
    return false
  }
}
