import { concatBytes, joinBytes, toUtf8 } from '../bitcoin/bytes.ts'

/** What JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Bytes that are not what {@link encodeCbor} writes. */
export class InvalidCborError extends Error {
  override name = 'InvalidCborError'
}

/** Major types of RFC 8949 §3.1. */
const MAJOR = { unsigned: 0, negative: 1, text: 3, array: 4, map: 5, simple: 7 } as const
const SIMPLE = { false: 20, true: 21, null: 22, float64: 27 } as const

/** Deeper than anything that a person writes. */
const MAX_DEPTH = 32

/** JSON as CBOR (RFC 8949 §6.2): whole numbers as integers, others as 64-bit floats. Throws a RangeError for what is nested too deep. */
export function encodeCbor(value: Json, depth = 0): Uint8Array {
  if (depth > MAX_DEPTH) throw new RangeError(`CBOR: nested deeper than ${MAX_DEPTH}`)
  if (value === null) return encodeHead(MAJOR.simple, SIMPLE.null)
  if (typeof value === 'boolean')
    return encodeHead(MAJOR.simple, value ? SIMPLE.true : SIMPLE.false)
  if (typeof value === 'number') return encodeNumber(value)
  if (typeof value === 'string') {
    const bytes = toUtf8(value)
    return concatBytes(encodeHead(MAJOR.text, bytes.length), bytes)
  }
  if (Array.isArray(value)) {
    const items = value.map(item => encodeCbor(item, depth + 1))
    return joinBytes([encodeHead(MAJOR.array, items.length), ...items])
  }
  const pairs = Object.entries(value)
  return joinBytes([
    encodeHead(MAJOR.map, pairs.length),
    ...pairs.flatMap(pair => pair.map(part => encodeCbor(part, depth + 1))),
  ])
}

/** What {@link encodeCbor} was given. Throws {@link InvalidCborError} for CBOR that JSON has no words for, and for what is no CBOR. */
export function decodeCbor(bytes: Uint8Array): Json {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  try {
    const value = readValue(0)
    if (at !== bytes.length) throw new InvalidCborError(`CBOR: ${bytes.length - at} bytes too many`)
    return value
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError)
      throw new InvalidCborError('CBOR: cut off, or text that is not UTF-8', { cause: error })
    throw error
  }

  function readValue(depth: number): Json {
    if (depth > MAX_DEPTH) throw new InvalidCborError(`CBOR: nested deeper than ${MAX_DEPTH}`)
    const first = view.getUint8(at++)
    const major = first >> 5
    const info = first & 0x1f
    if (major === MAJOR.simple) return readSimple(info)
    const argument = readArgument(info)
    switch (major) {
      case MAJOR.unsigned:
        return argument
      case MAJOR.negative:
        return -1 - argument
      case MAJOR.text:
        return readText(argument)
      case MAJOR.array:
        return times(argument, () => readValue(depth + 1))
      case MAJOR.map:
        return Object.fromEntries(times(argument, () => [readName(), readValue(depth + 1)]))
      default:
        throw new InvalidCborError(`CBOR: major type ${major}`)
    }
  }

  function readSimple(info: number): Json {
    if (info === SIMPLE.null) return null
    if (info === SIMPLE.true || info === SIMPLE.false) return info === SIMPLE.true
    if (info !== SIMPLE.float64) throw new InvalidCborError(`CBOR: simple value ${info}`)
    at += 8
    return view.getFloat64(at - 8)
  }

  function readArgument(info: number): number {
    if (info < 24) return info
    const size = 2 ** (info - 24)
    if (size > 8) throw new InvalidCborError(`CBOR: additional information ${info}`)
    at += size
    if (size === 8) return Number(view.getBigUint64(at - 8))
    return [view.getUint8, view.getUint16, view.getUint32][info - 24]?.call(view, at - size) ?? 0
  }

  function readText(length: number): string {
    if (at + length > bytes.length) throw new RangeError('cut off')
    at += length
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes.subarray(at - length, at),
    )
  }

  function readName(): string {
    const name = readValue(MAX_DEPTH)
    if (typeof name !== 'string') throw new InvalidCborError('CBOR: a name that is no text')
    return name
  }

  /** Each takes a byte at least: a length of more is one that the bytes do not have. */
  function times<T>(count: number, read: () => T): T[] {
    if (count > bytes.length - at) throw new RangeError('cut off')
    return Array.from({ length: count }, read)
  }
}

function encodeNumber(value: number): Uint8Array {
  if (Number.isSafeInteger(value) && !Object.is(value, -0))
    return value < 0 ? encodeHead(MAJOR.negative, -1 - value) : encodeHead(MAJOR.unsigned, value)
  const bytes = new Uint8Array(9)
  bytes[0] = (MAJOR.simple << 5) | SIMPLE.float64
  new DataView(bytes.buffer).setFloat64(1, value)
  return bytes
}

/** A major type and its argument in the fewest bytes (RFC 8949 §4.2.1). */
function encodeHead(major: number, argument: number): Uint8Array {
  const size =
    argument < 24 ? 0 : argument < 2 ** 8 ? 1 : argument < 2 ** 16 ? 2 : argument < 2 ** 32 ? 4 : 8
  const bytes = new Uint8Array(1 + size)
  const view = new DataView(bytes.buffer)
  bytes[0] = (major << 5) | (size === 0 ? argument : 24 + Math.log2(size))
  if (size === 1) view.setUint8(1, argument)
  if (size === 2) view.setUint16(1, argument)
  if (size === 4) view.setUint32(1, argument)
  if (size === 8) view.setBigUint64(1, BigInt(argument))
  return bytes
}
