import { concatBytes, joinBytes } from '../bytes.ts'
import { QrCodeError } from './qr-error.ts'

/** What a CBOR item (RFC 8949) can be in a code. Maps have whole numbers or texts as keys. */
export type Cbor =
  | number
  | boolean
  | null
  | string
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<number | string, Cbor>
  | CborTag

export class CborTag {
  readonly tag: number
  readonly value: Cbor
  constructor(tag: number, value: Cbor) {
    this.tag = tag
    this.value = value
  }
}

type Cursor = { bytes: Uint8Array; view: DataView; at: number }

const MAX_DEPTH = 16

/**
 * Reads one item that fills the bytes. Strict: shortest lengths only, no indefinite ones, no floats, no key twice, at most 16
 * levels. Keys may come in any order, as devices write them so. Byte strings are views. Throws {@link QrCodeError}.
 */
export function decodeCbor(bytes: Uint8Array): Cbor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const cursor = { bytes, view, at: 0 }
  const item = readItem(cursor, 0)
  if (cursor.at < bytes.length) throw malformed(cursor, 'expected the end')
  return item
}

function readItem(cursor: Cursor, depth: number): Cbor {
  if (depth > MAX_DEPTH) throw malformed(cursor, `expected at most ${MAX_DEPTH} levels`)
  const { type, value } = readHead(cursor)
  switch (type) {
    case 0:
      return value
    case 1:
      return -1 - value
    case 2:
      return readString(cursor, value)
    case 3:
      return readText(cursor, value)
    case 4: {
      const items: Cbor[] = []
      // The count is a claim: memory grows with what is there.
      for (let i = 0; i < value; i++) items.push(readItem(cursor, depth + 1))
      return items
    }
    case 5: {
      const map = new Map<number | string, Cbor>()
      for (let i = 0; i < value; i++) {
        const key = readItem(cursor, depth + 1)
        if (typeof key !== 'number' && typeof key !== 'string')
          throw malformed(cursor, 'expected a number or a text as key')
        if (map.has(key)) throw malformed(cursor, 'expected each key once')
        map.set(key, readItem(cursor, depth + 1))
      }
      return map
    }
    case 6:
      return new CborTag(value, readItem(cursor, depth + 1))
    default:
      if (value === 20 || value === 21) return value === 21
      if (value === 22) return null
      throw malformed(cursor, `expected true, false or null, found simple value ${value}`)
  }
}

function readHead(cursor: Cursor): { type: number; value: number } {
  const first = readUint(cursor, 1)
  const type = first >> 5
  const short = first & 0x1f
  if (short < 24) return { type, value: short }
  if (short > 27 || type === 7)
    throw malformed(cursor, 'expected no float, simple value or indefinite length')
  const size = 2 ** (short - 24)
  const value = readUint(cursor, size)
  if (value < (size === 1 ? 24 : 2 ** (4 * size)))
    throw malformed(cursor, 'expected the shortest form of a number')
  if (!Number.isSafeInteger(value)) throw malformed(cursor, 'expected a number below 2^53')
  return { type, value }
}

function readUint(cursor: Cursor, size: number): number {
  if (cursor.bytes.length - cursor.at < size) throw malformed(cursor, 'the bytes end too early')
  let value = 0
  for (let i = 0; i < size; i++) value = value * 0x100 + cursor.view.getUint8(cursor.at + i)
  cursor.at += size
  return value
}

function readString(cursor: Cursor, length: number): Uint8Array {
  const start = cursor.at
  if (cursor.bytes.length - start < length) throw malformed(cursor, 'the bytes end too early')
  cursor.at += length
  return cursor.bytes.subarray(start, cursor.at)
}

function readText(cursor: Cursor, length: number): string {
  const bytes = readString(cursor, length)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed(cursor, 'expected UTF-8')
  }
}

function malformed(cursor: Cursor, message: string): QrCodeError {
  return new QrCodeError('damaged', `CBOR at byte ${cursor.at}: ${message}`)
}

/** The bytes of an item, canonical (RFC 8949, 4.2.1); the keys of a map in the order of their bytes. */
export function encodeCbor(item: Cbor): Uint8Array {
  if (typeof item === 'number') return item < 0 ? encodeHead(1, -1 - item) : encodeHead(0, item)
  if (typeof item === 'boolean') return Uint8Array.of(item ? 0xf5 : 0xf4)
  if (item === null) return Uint8Array.of(0xf6)
  if (typeof item === 'string') {
    const text = new TextEncoder().encode(item)
    return concatBytes(encodeHead(3, text.length), text)
  }
  if (item instanceof Uint8Array) return concatBytes(encodeHead(2, item.length), item)
  if (item instanceof CborTag) return concatBytes(encodeHead(6, item.tag), encodeCbor(item.value))
  if (item instanceof Map) {
    const entries = [...(item as ReadonlyMap<number | string, Cbor>)]
      .map(([key, value]) => [encodeCbor(key), encodeCbor(value)] as const)
      .sort(([a], [b]) => compareBytes(a, b))
    return joinBytes([encodeHead(5, entries.length), ...entries.flat()])
  }
  const items = item as readonly Cbor[]
  return joinBytes([encodeHead(4, items.length), ...items.map(encodeCbor)])
}

function encodeHead(type: number, value: number): Uint8Array {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`CBOR: expected a whole number, found ${value}`)
  if (value < 24) return Uint8Array.of((type << 5) | value)
  const power = value < 0x100 ? 0 : value < 0x10000 ? 1 : value < 2 ** 32 ? 2 : 3
  const head = new Uint8Array(1 + 2 ** power)
  head[0] = (type << 5) | (24 + power)
  for (let i = head.length - 1, rest = value; i > 0; i--, rest = Math.floor(rest / 0x100))
    head[i] = rest % 0x100
  return head
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
