import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from './canonical-json.ts'

/**
 * SHA-256 (hex) over a JSON value with its keys in order: the same value gives the same digest everywhere. What the worker starts
 * with has `browser-digest.ts` for it.
 */
export function digestOf(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))))
}
