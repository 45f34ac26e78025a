import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, fromHex, joinBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import type { Outpoint } from '../../bitcoin/outpoint.ts'
import { addToPrivateKey, addToPublicKey, publicKeyOf } from '../../bitcoin/secp256k1.ts'

export const NONCE_SIZE = 32

/**
 * The 32-byte nonce of a commit, from the first outpoint that it spends (txid in the order of its bytes, index as 4 bytes in
 * little-endian): whoever has the account's key and the commit finds the inscribing's key again.
 */
export function nonceOfCommit({ txid, vout }: Outpoint): Uint8Array {
  const index = new DataView(new ArrayBuffer(4))
  index.setUint32(0, vout, true)
  const outpoint = [fromHex(txid).reverse(), new Uint8Array(index.buffer)]
  return sha256(joinBytes([OUTPOINT_TAG, OUTPOINT_TAG, ...outpoint]))
}

/**
 * The 33-byte key of an inscribing: in its leaves, and internal key of the commit's taproot outputs. It follows from the
 * account's 33-byte key and the 32-byte nonce, so that a leaf does not reveal the account's own key, and the owner of
 * both can always take the commit's outputs back.
 */
export function deriveInscribingKey(publicKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  return addToPublicKey(publicKey, tweakOf(publicKey, nonce))
}

/** The private key of {@link deriveInscribingKey}, for the caller to wipe. */
export function deriveInscribingPrivateKey(privateKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  return addToPrivateKey(privateKey, tweakOf(publicKeyOf(privateKey), nonce))
}

function tweakOf(publicKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  if (nonce.length !== NONCE_SIZE)
    throw new RangeError(`inscribing key: a nonce of ${nonce.length} bytes`)
  return sha256(concatBytes(TAG, TAG, publicKey, nonce))
}

/**
 * Where the key material of {@link deriveBaseKey} lies below the master key of a phrase. 500360388 is
 * SHA-256("satchel/inscribe") cut to 31 bits; nothing is signed with this key.
 */
export const BASE_KEY_PATH = "m/500360388'"

/**
 * The private key that stands in for an account's, which a device has, in {@link deriveInscribingPrivateKey}: by HKDF-SHA-256
 * (RFC 5869) from 32 secret bytes and the account's 33-byte key. For the caller to wipe.
 */
export function deriveBaseKey(keyMaterial: Uint8Array, publicKey: Uint8Array): Uint8Array {
  if (keyMaterial.length !== 32)
    throw new RangeError(`base key: key material of ${keyMaterial.length} bytes`)
  return hkdf(sha256, keyMaterial, toUtf8('satchel/inscribe'), publicKey, 32)
}

/** Tagged hashes as in BIP-340. */
const TAG = sha256(toUtf8('satchel/inscribe'))
const OUTPOINT_TAG = sha256(toUtf8('satchel/inscribe/outpoint'))
