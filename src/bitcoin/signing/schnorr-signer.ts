import { secp256k1 } from '@noble/curves/secp256k1.js'
import { taggedHash } from 'bitcoinjs-lib/src/crypto'
import { concatBytes } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { computeChallenge, type SignatureChecks, toScalar } from './signature-checks.ts'

const { Point } = secp256k1
const { Fp, Fn } = Point

/** Signs a hash, with 32 bytes of auxiliary randomness. */
export type SchnorrSigner = (hash: Uint8Array, auxRand?: Uint8Array) => Uint8Array

/**
 * Signs hashes of 32 bytes with one key as BIP-340's default signing does, with the same result as the library, which would compute
 * the public key again for each. Without `auxRand` deterministic with zeros, as Bitcoin Core signs transactions. The key is read
 * from the caller's bytes for each signature; the nonce times the generator takes the library's constant time, blinded. Every
 * signature is verified by the public key before it is given.
 */
export function createSchnorrSigner(
  privateKey: Uint8Array,
  checks: SignatureChecks,
): SchnorrSigner {
  const point = publicKeyOf(privateKey)
  const publicKey = point.subarray(1)
  const isOdd = point[0] === 3

  return (hash, auxRand = new Uint8Array(32)) => {
    if (hash.length !== 32 || auxRand.length !== 32)
      throw new RangeError('signature: expected 32 bytes of hash and of auxiliary randomness')
    const scalar = Fn.fromBytes(privateKey)
    const secret = isOdd ? Fn.neg(scalar) : scalar
    const masked = Fp.toBytes(secret ^ toScalar(taggedHash('BIP0340/aux', auxRand)))
    const seed = taggedHash('BIP0340/nonce', concatBytes(masked, publicKey, hash))
    masked.fill(0)
    const unsigned = Fn.create(toScalar(seed))
    seed.fill(0)
    if (unsigned === 0n) throw new Error('signature: the nonce is zero')
    const { x, y } = Point.BASE.multiply(unsigned).toAffine()
    const nonce = y % 2n === 0n ? unsigned : Fn.neg(unsigned)
    const r = Fp.toBytes(x)
    const s = Fn.add(nonce, Fn.mul(computeChallenge(r, publicKey, hash), secret))
    const signature = concatBytes(r, Fn.toBytes(s))
    if (!checks.schnorr(hash, publicKey, signature))
      throw new Error('signature: it does not verify by its own key')
    return signature
  }
}
