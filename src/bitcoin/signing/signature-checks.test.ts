import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { concatBytes, fromHex } from '../bytes.ts'
import { publicKeyOf, signEcdsa, signSchnorr, verifyEcdsa, verifySchnorr } from '../secp256k1.ts'
import { privateKeys } from '../testing/keys.ts'
import bip340 from '../testing/vectors/bip340.json' with { type: 'json' }
import wycheproof from '../testing/vectors/wycheproof-ecdsa.json' with { type: 'json' }
import { createSignatureChecks, type SignatureChecks } from './signature-checks.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** Checks of a key, after so many that the next ones are made with tables of its multiples. */
function warmUp(check: (checks: SignatureChecks) => unknown): SignatureChecks {
  const checks = createSignatureChecks()
  for (let i = 0; i < 5; i++) attempt(() => check(checks))
  return checks
}

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const flips = fc.record({ at: fc.nat({ max: 63 }), bit: fc.nat({ max: 7 }) })

describe('ECDSA signatures of a key that comes often', () => {
  it('are judged as the Wycheproof bitcoin suite says, with its keys compressed and not', () => {
    let count = 0
    for (const { publicKey, tests } of wycheproof) {
      const whole = fromHex(publicKey)
      const keys = [secp256k1.Point.fromBytes(whole).toBytes(true), whole]
      for (const key of keys) {
        const checks = warmUp(each => each.ecdsa(new Uint8Array(32), key, EXAMPLE, 1))
        for (const { tcId, msg, sig, result } of tests) {
          const hash = Uint8Array.from(createHash('sha256').update(fromHex(msg)).digest())
          const signature = concatBytes(fromHex(sig), Uint8Array.of(1))
          expect(checks.ecdsa(hash, key, signature, 1), `test ${tcId}`).toBe(result === 'valid')
          count++
        }
      }
    }
    expect(count).toBe(2 * 463)
  })

  it('are right or wrong as the library says, with any bit of hash or signature changed', () => {
    fc.assert(
      fc.property(privateKeys, bytes32, flips, fc.boolean(), (privateKey, hash, flip, ofHash) => {
        const publicKey = publicKeyOf(privateKey)
        const signature = signEcdsa(hash, privateKey)
        const checks = warmUp(each => each.ecdsa(hash, publicKey, signature, 1))
        expect(checks.ecdsa(hash, publicKey, signature, 1)).toBe(true)
        expect(checks.ecdsa(hash, publicKey, signature, 2)).toBe(false)
        const changedHash = ofHash ? changeBit(hash, flip) : hash
        const changed = ofHash ? signature : changeBit(signature, flip)
        const verdict = checks.ecdsa(changedHash, publicKey, changed, 1)
        expect(verdict).toBe(verifyEcdsa(changedHash, publicKey, changed, 1))
        expect(verdict).toBe(false)
        expect(checks.ecdsa(hash, publicKey.subarray(1), signature, 1)).toBe(false)
        expect(checks.ecdsa(hash.subarray(1), publicKey, signature, 1)).toBe(false)
      }),
      { numRuns: 30 },
    )
  })
})

describe('Schnorr signatures of a key that comes often', () => {
  const vectors = bip340.filter(({ message }) => message.length === 64)

  it('are judged as the vectors of BIP-340 say', () => {
    expect(vectors).toHaveLength(15)
    for (const { index, publicKey, message, signature, valid } of vectors) {
      const params = [fromHex(message), fromHex(publicKey), fromHex(signature)] as const
      const checks = warmUp(each => each.schnorr(...params))
      expect(
        attempt(() => checks.schnorr(...params)),
        `vector ${index}`,
      ).toBe(valid)
    }
  })

  it('are right or wrong as the library says, with any bit of hash or signature changed', () => {
    fc.assert(
      fc.property(privateKeys, bytes32, flips, fc.boolean(), (privateKey, hash, flip, ofHash) => {
        const publicKey = publicKeyOf(privateKey).subarray(1)
        const signature = signSchnorr(hash, privateKey)
        const checks = warmUp(each => each.schnorr(hash, publicKey, signature))
        expect(checks.schnorr(hash, publicKey, signature)).toBe(true)
        const changedHash = ofHash ? changeBit(hash, flip) : hash
        const changed = ofHash ? signature : changeBit(signature, flip)
        const verdict = attempt(() => checks.schnorr(changedHash, publicKey, changed))
        expect(verdict).toBe(attempt(() => verifySchnorr(changedHash, publicKey, changed)))
        expect(verdict).toBe(false)
      }),
      { numRuns: 30 },
    )
  })

  it('of six keys in turns are each verified by their own key', () => {
    const keys = Array.from({ length: 6 }, (_, i) => new Uint8Array(32).fill(i + 1))
    const hash = new Uint8Array(32).fill(9)
    const signed = keys.map(key => ({
      publicKey: publicKeyOf(key).subarray(1),
      signature: signSchnorr(hash, key),
    }))
    const checks = createSignatureChecks()
    for (let round = 0; round < 7; round++)
      for (const [i, { publicKey, signature }] of signed.entries()) {
        expect(checks.schnorr(hash, publicKey, signature)).toBe(true)
        const other = signed[(i + 1) % signed.length]?.signature ?? signature
        expect(checks.schnorr(hash, publicKey, other)).toBe(false)
      }
  })
})

/** DER of r and s that are 1, with SIGHASH_ALL. */
const EXAMPLE = fromHex('300602010102010101')

function changeBit(bytes: Uint8Array, { at, bit }: { at: number; bit: number }): Uint8Array {
  const changed = Uint8Array.from(bytes)
  const place = at % bytes.length
  changed[place] = (changed[place] ?? 0) ^ (1 << bit)
  return changed
}

function attempt(verify: () => unknown): boolean {
  try {
    return verify() === true
  } catch {
    return false
  }
}
