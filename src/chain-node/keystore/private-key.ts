import { randomFillSync } from 'node:crypto'
import { encodeHex, type Hex } from '../codec/hex.ts'
import { addressOf, secp256k1 } from '../engine/crypto.ts'
import { KeystoreError } from './keystore.ts'

/** Fresh 32 bytes that are a private key, which the caller wipes. */
export function createPrivateKey(): Buffer {
  const key = Buffer.alloc(32)
  do randomFillSync(key)
  while (!isPrivateKey(key))
  return key
}

/**
 * Reads a private key in hexadecimal, with or without `0x`.
 *
 * @returns 32 bytes, which the caller wipes
 * @throws `KeystoreError` with geth's texts
 */
export function parsePrivateKey(text: string): Buffer {
  const digits = text.replace(/^0x/i, '')
  const stranger = /[^0-9a-f]/iu.exec(digits)
  if (stranger) {
    throw new KeystoreError(`invalid hex character ${quoteCharacter(stranger[0])} in private key`)
  }
  if (digits.length % 2 !== 0) throw new KeystoreError('invalid hex data for private key')
  if (digits.length !== 64) throw new KeystoreError(WRONG_LENGTH)
  const key = Buffer.alloc(32)
  key.write(digits, 'hex')
  assertPrivateKey(key)
  return key
}

/** Throws `KeystoreError` with geth's text where bytes are not a private key of secp256k1. */
export function assertPrivateKey(bytes: Uint8Array): void {
  if (bytes.length !== 32) throw new KeystoreError(WRONG_LENGTH)
  if (isPrivateKey(bytes)) return
  const zero = bytes.every(byte => byte === 0)
  throw new KeystoreError(`invalid private key, ${zero ? 'zero or negative' : '>=N'}`)
}

/** The address of a private key's account. */
export function deriveAddress(privateKey: Uint8Array): Hex {
  return encodeHex(addressOf(secp256k1.derivePublicKey(privateKey)))
}

const WRONG_LENGTH = 'invalid length, need 256 bits'

function isPrivateKey(bytes: Uint8Array): boolean {
  try {
    secp256k1.derivePublicKey(bytes)
    return true
  } catch {
    return false
  }
}

/** In Go's quotes for a character. */
function quoteCharacter(character: string): string {
  return `'${JSON.stringify(character).slice(1, -1)}'`
}
