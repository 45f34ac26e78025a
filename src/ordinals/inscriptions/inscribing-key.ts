import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import { addToPrivateKey, addToPublicKey, publicKeyOf } from '../../bitcoin/secp256k1.ts'

const NONCE_SIZE = 32

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

/** A tagged hash as in BIP-340. */
const TAG = sha256(toUtf8('satchel/inscribe'))
