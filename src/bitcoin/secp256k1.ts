import * as ecc from '@bitcoinerlab/secp256k1'
import { type BIP32API, BIP32Factory } from 'bip32'
import { taggedHash } from 'bitcoinjs-lib/src/crypto'
import {
  decode as decodeSignature,
  encode as encodeSignature,
} from 'bitcoinjs-lib/src/script_signature'
import { type ECPairAPI, ECPairFactory } from 'ecpair'

import { concatBytes } from './bytes.ts'

const SIGHASH_ALL = 1

/** Bytes of every ECDSA signature that this wallet puts in a transaction: DER and sighash byte. */
export const ECDSA_SIGNATURE_SIZE = 71

export const {
  isPrivate,
  isXOnlyPoint,
  isPointCompressed,
  recover,
  signRecoverable,
  verifySchnorr,
  xOnlyPointAddTweak,
} = ecc

let bip32Api: BIP32API | undefined

/** BIP-32, bound on first use: the library tests its curve when it is bound, which a starting worker cannot afford. */
export function bip32(): BIP32API {
  bip32Api ??= BIP32Factory(ecc)
  return bip32Api
}

let ecpairApi: ECPairAPI | undefined

/** Single keys and their import format; bound on first use like {@link bip32}. */
export function ecpair(): ECPairAPI {
  ecpairApi ??= ECPairFactory(ecc)
  return ecpairApi
}

/** The 33-byte public key of a private key. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  const publicKey = ecc.pointFromScalar(privateKey, true)
  if (!publicKey) throw new Error('private key: not on the curve')
  return publicKey
}

/** The 33-byte key of which the private key is larger by `tweak`. */
export function addToPublicKey(publicKey: Uint8Array, tweak: Uint8Array): Uint8Array {
  const sum = ecc.pointAddScalar(publicKey, tweak, true)
  if (!sum) throw new Error('public key: cannot be tweaked')
  return sum
}

/** The private key of {@link addToPublicKey}, for the caller to wipe. */
export function addToPrivateKey(privateKey: Uint8Array, tweak: Uint8Array): Uint8Array {
  const sum = ecc.privateAdd(privateKey, tweak)
  if (!sum) throw new Error('private key: cannot be tweaked')
  return sum
}

/** The 33-byte point that a public key is times `scalar`. */
export function multiplyPublicKey(publicKey: Uint8Array, scalar: Uint8Array): Uint8Array {
  const product = ecc.pointMultiply(publicKey, scalar, true)
  if (!product) throw new Error('public key: cannot be multiplied')
  return product
}

/** The sum of private keys, for the caller to wipe; null where it is zero. */
export function sumPrivateKeys(privateKeys: readonly Uint8Array[]): Uint8Array | null {
  let sum: Uint8Array | null = null
  for (const privateKey of privateKeys) {
    const next: Uint8Array | null = sum ? ecc.privateAdd(sum, privateKey) : privateKey.slice()
    sum?.fill(0)
    sum = next
  }
  return sum
}

/** The sum of 33-byte public keys; null where it is the point at infinity. */
export function sumPublicKeys(publicKeys: readonly Uint8Array[]): Uint8Array | null {
  return publicKeys.reduce<Uint8Array | null>(
    (sum, publicKey) => (sum ? ecc.pointAdd(sum, publicKey, true) : publicKey),
    null,
  )
}

/** The private key whose public key has the same x and an even Y, as a copy for the caller to wipe. */
export function evenPrivateKey(privateKey: Uint8Array): Uint8Array {
  return publicKeyOf(privateKey)[0] === 2 ? privateKey.slice() : ecc.privateNegate(privateKey)
}

/** BIP-341 output key, x-only, of a 33-byte public key with no script tree (BIP-86). */
export function taprootOutputKey(publicKey: Uint8Array): Uint8Array {
  const internalKey = publicKey.subarray(1)
  const tweaked = ecc.xOnlyPointAddTweak(internalKey, taggedHash('TapTweak', internalKey))
  if (!tweaked) throw new Error('public key: cannot be tweaked')
  return tweaked.xOnlyPubkey
}

/**
 * The private key of {@link taprootOutputKey}, or of an output with a script tree of this Merkle root; for the caller to
 * wipe.
 */
export function tweakPrivateKey(
  privateKey: Uint8Array,
  merkleRoot: Uint8Array = new Uint8Array(),
): Uint8Array {
  const publicKey = publicKeyOf(privateKey)
  const even = publicKey[0] === 2 ? privateKey : ecc.privateNegate(privateKey)
  const tweak = taggedHash('TapTweak', concatBytes(publicKey.subarray(1), merkleRoot))
  const tweaked = ecc.privateAdd(even, tweak)
  if (even !== privateKey) even.fill(0)
  if (!tweaked) throw new Error('private key: cannot be tweaked')
  return tweaked
}

/**
 * DER signature and sighash byte, always of {@link ECDSA_SIGNATURE_SIZE} so that a fee can be exact: like Bitcoin Core's
 * low-R signatures, a counter is the extra entropy of RFC 6979 until the size is right.
 */
export function signEcdsa(
  hash: Uint8Array,
  privateKey: Uint8Array,
  sighash: number = SIGHASH_ALL,
): Uint8Array {
  let signature = encodeSignature(ecc.sign(hash, privateKey), sighash)
  const extraEntropy = new Uint8Array(32)
  for (let counter = 1; signature.length !== ECDSA_SIGNATURE_SIZE; counter++) {
    new DataView(extraEntropy.buffer).setUint32(0, counter, true)
    signature = encodeSignature(ecc.sign(hash, privateKey, extraEntropy), sighash)
  }
  return signature
}

/** Whether a signature as in {@link signEcdsa} is right: strict DER (BIP-66), low S (BIP-146), that sighash byte and nothing after it. */
export function verifyEcdsa(
  hash: Uint8Array,
  publicKey: Uint8Array,
  bytes: Uint8Array,
  sighash: number = SIGHASH_ALL,
  verify: typeof verifyCompact = verifyCompact,
): boolean {
  try {
    const { signature, hashType } = decodeSignature(bytes)
    return hashType === sighash && verify(hash, publicKey, signature)
  } catch {
    return false
  }
}

/** Whether a signature of 64 bytes, r and s, is right and low-S. */
export function verifyCompact(
  hash: Uint8Array,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  return ecc.verify(hash, publicKey, signature, true)
}

/** BIP-340; without `auxRand` deterministic with zeros, as Bitcoin Core signs transactions. */
export function signSchnorr(
  hash: Uint8Array,
  privateKey: Uint8Array,
  auxRand: Uint8Array = new Uint8Array(32),
): Uint8Array {
  return ecc.signSchnorr(hash, privateKey, auxRand)
}
