import { RawInput } from '@scure/btc-signer/script.js'
import { pubECDSA, tagSchnorr } from '@scure/btc-signer/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { privateKeys } from '../../bitcoin/testing/keys.ts'
import { deriveInscribingKey, deriveInscribingPrivateKey, nonceOfCommit } from './inscribing-key.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const toNumber = (bytes: Uint8Array) => BigInt(`0x${toHex(bytes)}`)
const nonces = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('the key of an inscribing', () => {
  it('is the account’s plus the tagged hash of its public key and the nonce, for an independent library', () => {
    fc.assert(
      fc.property(privateKeys, nonces, (key, nonce) => {
        const publicKey = pubECDSA(key)
        const tweak = tagSchnorr('satchel/inscribe', concatBytes(publicKey, nonce))
        const expected = (toNumber(key) + toNumber(tweak)) % ORDER
        const derived = deriveInscribingPrivateKey(key, nonce)
        expect(toNumber(derived)).toBe(expected)
        expect(toHex(deriveInscribingKey(publicKey, nonce))).toBe(toHex(pubECDSA(derived)))
      }),
      { numRuns: 30 },
    )
  })

  it('is another for every nonce and account, and no key without the whole nonce', () => {
    const [a, b] = [
      publicKeyOf(new Uint8Array(32).fill(1)),
      publicKeyOf(new Uint8Array(32).fill(2)),
    ]
    const [x, y] = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(4)]
    const keys = [a, b].flatMap(key => [x, y].map(nonce => toHex(deriveInscribingKey(key, nonce))))
    expect(new Set([...keys, toHex(a), toHex(b)]).size).toBe(6)
    expect(() => deriveInscribingKey(a, x.subarray(1))).toThrow(RangeError)
  })

  it('has a nonce that is the tagged hash of an outpoint as it is serialized, for an independent library', () => {
    const outpoints = fc.record({
      txid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
      vout: fc.nat({ max: 0xffffffff }),
    })
    fc.assert(
      fc.property(outpoints, ({ txid, vout }) => {
        const input = RawInput.encode({
          ...{ txid: fromHex(txid), index: vout, finalScriptSig: new Uint8Array(), sequence: 0 },
        })
        const expected = tagSchnorr('satchel/inscribe/outpoint', input.subarray(0, 36))
        expect(toHex(nonceOfCommit({ txid, vout }))).toBe(toHex(expected))
      }),
      { numRuns: 30 },
    )
  })
})
