/** Bitcoin's length prefix of 1, 3 or 5 bytes; `size` below 2^32. */
export function encodeCompactSize(size: number): Uint8Array {
  if (size < 0xfd) return Uint8Array.of(size)
  const bytes = new Uint8Array(size <= 0xffff ? 3 : 5)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, size <= 0xffff ? 0xfd : 0xfe)
  if (size <= 0xffff) view.setUint16(1, size, true)
  else view.setUint32(1, size, true)
  return bytes
}
