import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { canonicalJson } from './canonical-json.ts'

/** Hashes by WebCrypto, for what the worker starts with: a library for them would be an eighth of that code. */

/** SHA-256 (hex) of a text's UTF-8 bytes. */
export async function hashText(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', toUtf8(text))))
}

/** The digest that `digestOf` gives for the same value. */
export function digestInBrowser(value: unknown): Promise<string> {
  return hashText(canonicalJson(value))
}

/** HMAC-SHA-256 (hex) of a text's UTF-8 bytes. */
export async function authenticateText(key: Uint8Array, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = new Uint8Array(key)
  const cryptoKey = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', cryptoKey, toUtf8(text))))
}
