import { hash256 } from 'bitcoinjs-lib/src/crypto'
import type { AddressType, ParsedAddress, PayableType } from '../address.ts'
import { scriptPubKeyOf } from '../address.ts'
import { concatBytes, equalBytes, toBase64, toUtf8 } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'
import { recover, signRecoverable, verifyCompact } from '../secp256k1.ts'

/** Header byte, r, s. */
export const ECDSA_MESSAGE_SIZE = 65

/** 27, and 4 for a compressed key; the recovery id comes on top. Wallets use it for every kind of address. */
const HEADER = 31

const PREFIX = toUtf8('\x18Bitcoin Signed Message:\n')

/** Base64 of a recoverable signature of "Bitcoin Signed Message". */
export function signEcdsaMessage(message: Uint8Array, privateKey: Uint8Array): string {
  const { signature, recoveryId } = signRecoverable(hashMessage(message), privateKey)
  return toBase64(concatBytes(Uint8Array.of(HEADER + recoveryId), signature))
}

/**
 * Whether 65 bytes are a low-S signature by the key that the address is of. Header 31 to 34 is that of a compressed key, which wallets use
 * for every kind of address; the others of BIP-137 name one: 27 to 30 P2PKH of an uncompressed key, 35 to 38 P2SH-P2WPKH, 39 to 42 P2WPKH.
 */
export function verifyEcdsaMessage(
  message: Uint8Array,
  bytes: Uint8Array,
  { type, scriptPubKey }: ParsedAddress,
): boolean {
  const keyType = keyTypeOf(type)
  const header = (bytes[0] ?? 0) - FIRST_HEADER
  const named = NAMED_TYPES[Math.floor(header / 4)]
  const recoveryId = header % 4
  if (keyType === null || named === undefined || !isRecoveryId(recoveryId)) return false
  if (named !== 'any' && named !== keyType) return false
  const isCompressed = header >= 4
  const hash = hashMessage(message)
  const signature = bytes.slice(1)
  try {
    const publicKey = recover(hash, signature, recoveryId, isCompressed)
    if (!publicKey || !verifyCompact(hash, publicKey, signature)) return false
    return equalBytes(scriptPubKeyOf(publicKey, keyType), scriptPubKey)
  } catch {
    return false
  }
}

const FIRST_HEADER = 27

/** The kinds of addresses that each four headers are for. */
const NAMED_TYPES: readonly (AddressType | 'any')[] = ['p2pkh', 'any', 'p2sh-p2wpkh', 'p2wpkh']

/** Double SHA-256 of prefix, length (compact size) and message. */
export function hashMessage(message: Uint8Array): Uint8Array {
  return hash256(concatBytes(PREFIX, encodeCompactSize(message.length), message))
}

function keyTypeOf(type: PayableType): AddressType | null {
  if (type === 'p2wsh') return null
  return type === 'p2sh' ? 'p2sh-p2wpkh' : type
}

function isRecoveryId(value: number): value is 0 | 1 | 2 | 3 {
  return value === 0 || value === 1 || value === 2 || value === 3
}
