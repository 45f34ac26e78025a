const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += HEX[byte]
  return hex
}

/** Bytes of hex in either case; throws on an odd length or any other character. */
export function fromHex(hex: string): Uint8Array {
  if (hex.length % 2 !== 0 || /[^0-9a-fA-F]/.test(hex))
    throw new Error('hex: expected pairs of hex digits')
  const bytes = new Uint8Array(hex.length / 2)
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (digitAt(hex, 2 * i) << 4) | digitAt(hex, 2 * i + 1)
  return bytes
}

/** The digits follow each other in ASCII, and the letters of both cases differ by 0x20. */
function digitAt(hex: string, i: number): number {
  const code = hex.charCodeAt(i)
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // A character at a time would need thirty times the memory of large bytes.
  for (let at = 0; at < bytes.length; at += 0x2000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000))
  return btoa(binary)
}

/** Bytes of standard base64; throws unless the text is the one canonical form of its bytes (padding, no spaces, no stray bits). */
export function fromBase64(text: string): Uint8Array {
  // Without a group that repeats: of some megabytes it would be too many for the browser's matcher.
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new Error('base64: expected standard base64 with padding')
  const binary = atob(text)
  if (btoa(binary) !== text) throw new Error('base64: the unused bits are not zero')
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

/** UTF-8 bytes of a text; throws on a lone surrogate, which UTF-8 cannot express. */
export function toUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (/\p{Surrogate}/u.test(text)) throw new Error('text: contains a lone surrogate')
  return new TextEncoder().encode(text)
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return joinBytes(parts)
}

/** As {@link concatBytes}, of any number of parts: a call takes no more than some ten thousand arguments. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
