import {
  apply,
  charCodeAt,
  decodeBase64,
  escapeText,
  getLength,
  getRandomValues,
  PristineUint8Array,
  unescapeBytes,
  unescapeText,
} from './primordials.ts'

const HEX_DIGITS = '0123456789abcdef'

export function isBytes(value: unknown): boolean {
  try {
    return apply(getLength, value, []) >= 0
  } catch {
    return false
  }
}

/** The hex of a page's typed array, with a text before each byte. Throws for anything else. */
export function encodeHex(value: unknown, before = ''): string {
  const length = apply(getLength, value, [])
  let hex = ''
  for (let i = 0; i < length; i++) {
    const byte = (value as Uint8Array)[i] as number
    hex += before + HEX_DIGITS[byte >> 4] + HEX_DIGITS[byte & 15]
  }
  return hex
}

/** The text of a page's typed array. Throws where the bytes are not UTF-8, and for anything else. */
export function decodeText(value: unknown): string {
  return unescapeText(encodeHex(value, '%'))
}

/** The UTF-8 of the text. Throws where a half of a surrogate pair stands alone. */
export function encodeText(text: string): Uint8Array {
  return copyCodes(unescapeBytes(escapeText(text)))
}

/** The bytes of base64 from the wallet. */
export function readBase64(base64: string): Uint8Array {
  return copyCodes(decodeBase64(base64))
}

/** The hex, from the wallet, is well formed. */
export function decodeHex(hex: string): Uint8Array {
  return fill(hex.length / 2, i => +`0x${hex[2 * i]}${hex[2 * i + 1]}`)
}

/** 128 random bits in hex. `crypto.randomUUID` does not exist on insecure origins. */
export function createId(): string {
  return encodeHex(getRandomValues(new PristineUint8Array(16)))
}

/** Each character is one byte. */
function copyCodes(binary: string): Uint8Array {
  return fill(binary.length, i => apply(charCodeAt, binary, [i]))
}

function fill(length: number, byteAt: (index: number) => number): Uint8Array {
  const bytes = new PristineUint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = byteAt(i)
  return bytes
}
