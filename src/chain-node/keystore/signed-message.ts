import { encodeHex, type Hex } from '../codec/hex.ts'
import { addressOf, keccak256, secp256k1 } from '../engine/crypto.ts'

const PREFIX = '\x19Ethereum Signed Message:\n'

/** The hash that is signed in a message's place (EIP-191, version 0x45). */
export function hashMessage(message: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from(`${PREFIX}${message.length}`), message]))
}

/** @returns 65 bytes: r, s and v, which is 27 or 28 */
export function signMessage(message: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const { signature, recovery } = secp256k1.sign(hashMessage(message), privateKey)
  return Uint8Array.of(...signature, 27 + recovery)
}

/**
 * The address of who signed a message.
 *
 * @param signature - 65 bytes: r, s, which may be the higher of its two values, and v, which is 27 or 28
 * @returns null where nobody can have signed so
 */
export function recoverSigner(message: Uint8Array, signature: Uint8Array): Hex | null {
  const recovery = (signature[64] ?? 0) - 27
  try {
    const key = secp256k1.recover(hashMessage(message), signature.subarray(0, 64), recovery)
    return encodeHex(addressOf(key))
  } catch {
    return null
  }
}
