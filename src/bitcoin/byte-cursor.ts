/** A place in bytes that are read in order. */
export type ByteCursor = { readonly bytes: Uint8Array; offset: number }

/** Bytes that do not have the form that was expected; the message says which. */
export class MalformedBytesError extends Error {
  override name = 'MalformedBytesError'
}

/** Steps over bytes, and says where they begin; throws {@link MalformedBytesError}, as all that reads, when there are too few. */
export function skip(cursor: ByteCursor, length: number): number {
  const start = cursor.offset
  if (length > bytesLeft(cursor))
    throw new MalformedBytesError(`expected ${length} more bytes, found ${bytesLeft(cursor)}`)
  cursor.offset += length
  return start
}

export function bytesLeft({ bytes, offset }: ByteCursor): number {
  return bytes.length - offset
}

/** Throws when bytes are left over. */
export function expectEnd(cursor: ByteCursor): void {
  if (bytesLeft(cursor) > 0)
    throw new MalformedBytesError(`expected no more bytes, found ${bytesLeft(cursor)}`)
}

/** A view of the same memory. */
export function readBytes(cursor: ByteCursor, length: number): Uint8Array {
  const start = skip(cursor, length)
  return cursor.bytes.subarray(start, start + length)
}

/** The bytes after a compact size that says how many. */
export function readSized(cursor: ByteCursor): Uint8Array {
  return readBytes(cursor, readCompactSize(cursor))
}

export function readByte(cursor: ByteCursor): number {
  return cursor.bytes[skip(cursor, 1)] ?? 0
}

/** Little-endian. */
export function readUint32(cursor: ByteCursor): number {
  return readLittle(cursor, 4)
}

/** Little-endian, signed. */
export function readInt64(cursor: ByteCursor): bigint {
  const low = readUint32(cursor)
  return BigInt.asIntN(64, (BigInt(readUint32(cursor)) << 32n) + BigInt(low))
}

/** Only the shortest encoding is taken. Inexact above 2^53, where it can be the length of nothing. */
export function readCompactSize(cursor: ByteCursor): number {
  const first = readByte(cursor)
  if (first < 0xfd) return first
  let size: number
  let least: number
  if (first === 0xfd) [size, least] = [readLittle(cursor, 2), 0xfd]
  else if (first === 0xfe) [size, least] = [readUint32(cursor), 0x10000]
  else [size, least] = [readUint32(cursor) + readUint32(cursor) * 2 ** 32, 2 ** 32]
  if (size < least) throw new MalformedBytesError('expected the shortest form of a compact size')
  return size
}

function readLittle(cursor: ByteCursor, length: number): number {
  const start = skip(cursor, length)
  let value = 0
  for (let i = start + length - 1; i >= start; i--) value = value * 0x100 + (cursor.bytes[i] ?? 0)
  return value
}
