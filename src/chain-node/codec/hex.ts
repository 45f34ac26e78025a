/** Bytes or an integer, as `0x` and hexadecimal digits. Addresses and hashes are always in lower case. */
export type Hex = `0x${string}`

/** An integer as the specification's QUANTITY: no leading zeros, zero as `0x0`. */
export function formatQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** Bytes as the specification's DATA: two digits a byte, no bytes as `0x`. */
export function encodeHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** The bytes of DATA that was checked before: an even number of digits after `0x`. */
export function decodeHex(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}
