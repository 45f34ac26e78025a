import { schnorr } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { privateKeys } from '../testing/keys.ts'
import bip340 from '../testing/vectors/bip340.json' with { type: 'json' }
import { createSchnorrSigner } from './schnorr-signer.ts'
import { createSignatureChecks } from './signature-checks.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('createSchnorrSigner', () => {
  it('gives the signatures of the vectors of BIP-340, the first and the sixth time', () => {
    const vectors = bip340.filter(
      ({ secretKey, message }) => secretKey !== '' && message.length === 64,
    )
    expect(vectors).toHaveLength(4)
    for (const { secretKey, auxRand, message, signature } of vectors) {
      const sign = createSchnorrSigner(fromHex(secretKey), createSignatureChecks())
      for (let time = 0; time < 6; time++)
        expect(toHex(sign(fromHex(message), fromHex(auxRand))).toUpperCase()).toBe(signature)
    }
  })

  it('signs as @noble/curves does, with randomness and without', () => {
    fc.assert(
      fc.property(privateKeys, bytes32, bytes32, (key, hash, auxRand) => {
        const sign = createSchnorrSigner(key, createSignatureChecks())
        expect(sign(hash, auxRand)).toEqual(schnorr.sign(hash, key, auxRand))
        expect(sign(hash)).toEqual(schnorr.sign(hash, key, new Uint8Array(32)))
      }),
      { numRuns: 60 },
    )
  })

  it('gives no signature that does not verify', () => {
    const checks = { ...createSignatureChecks(), schnorr: () => false }
    const sign = createSchnorrSigner(new Uint8Array(32).fill(7), checks)
    expect(() => sign(new Uint8Array(32))).toThrow('does not verify')
  })

  it('signs nothing any more with a key that was wiped', () => {
    const key = new Uint8Array(32).fill(7)
    const sign = createSchnorrSigner(key, createSignatureChecks())
    key.fill(0)
    expect(() => sign(new Uint8Array(32))).toThrow()
  })

  it('signs hashes of 32 bytes alone', () => {
    const sign = createSchnorrSigner(new Uint8Array(32).fill(7), createSignatureChecks())
    expect(() => sign(new Uint8Array(31))).toThrow(RangeError)
    expect(() => sign(new Uint8Array(32), new Uint8Array(33))).toThrow(RangeError)
  })
})
