import {
  apply,
  charCodeAt,
  decodeBase64,
  escapeText,
  getLength,
  PristineUint8Array,
  toHexByte,
  unescapeText,
} from './primordials.ts'

export function isBytes(value: unknown): boolean {
  try {
    return apply(getLength, value, []) >= 0
  } catch {
    return false
  }
}

/** Throws where the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  const length = apply(getLength, bytes, [])
  let escaped = ''
  for (let i = 0; i < length; i++) escaped += `%${toHexByte(bytes[i] as number)}`
  return unescapeText(escaped)
}

/** The UTF-8 of the text. Throws where a half of a surrogate pair stands alone. */
export function encodeText(text: string): Uint8Array {
  const escaped = escapeText(text)
  let hex = ''
  for (let i = 0; i < escaped.length; i++) {
    const character = escaped[i] as string
    hex +=
      character === '%'
        ? `${escaped[++i]}${escaped[++i]}`
        : toHexByte(apply(charCodeAt, character, [0]))
  }
  return decodeHex(hex)
}

/** The bytes of a page's typed array as they are now. Throws for anything else. */
export function copyBytes(value: unknown): Uint8Array {
  const given = value as Uint8Array
  return fill(apply(getLength, given, []), i => given[i] as number)
}

/** The hex of a page's typed array. Throws for anything else. */
export function encodeHex(value: unknown): string {
  const given = value as Uint8Array
  const length = apply(getLength, given, [])
  let hex = ''
  for (let i = 0; i < length; i++) hex += toHexByte(given[i] as number)
  return hex
}

/** The hex, from the wallet, is well formed. */
export function decodeHex(hex: string): Uint8Array {
  return fill(hex.length / 2, i => +`0x${hex[2 * i]}${hex[2 * i + 1]}`)
}

/** The bytes of base64 from the wallet. */
export function readBase64(base64: string): Uint8Array {
  const binary = decodeBase64(base64)
  return fill(binary.length, i => apply(charCodeAt, binary, [i]))
}

function fill(length: number, byteAt: (index: number) => number): Uint8Array {
  const bytes = new PristineUint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = byteAt(i)
  return bytes
}
