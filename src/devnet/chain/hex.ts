export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** Bytes of an even-length hex string; null when it is not one. */
export function fromHex(hex: string): Uint8Array | null {
  return hex.length % 2 === 0 && /^[0-9a-f]*$/i.test(hex)
    ? new Uint8Array(Buffer.from(hex, 'hex'))
    : null
}

/** A hash as Bitcoin displays it: bytes reversed, in hex. */
export function toDisplayHash(hash: Uint8Array): string {
  return toHex(Uint8Array.from(hash).reverse())
}
