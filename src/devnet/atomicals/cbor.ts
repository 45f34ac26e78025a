import { concatBytes, joinBytes, toHex, toUtf8 } from '../../bitcoin/bytes.ts'

/** A value behind a tag, as the bytes of both. */
export interface CborTagged {
  tag: number
  bytes: Uint8Array
}

/** Keys that are no texts: integers in decimal digits, others by their bytes in hex behind `0x`. */
export type CborMap = ReadonlyMap<string, CborValue>

/** Integers are bigints, floats numbers. */
export type CborValue =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CborTagged
  | readonly CborValue[]
  | CborMap

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 }
const INDEFINITE = 31
const BREAK = 0xff
const MAX_DEPTH = 200

export function isCborMap(value: CborValue): value is CborMap {
  return value instanceof Map
}

export function isCborList(value: CborValue): value is readonly CborValue[] {
  return Array.isArray(value)
}

/** The first item of some bytes (RFC 8949), whatever follows it. Throws RangeError or TypeError for what is no CBOR. */
export function decodeCborItem(bytes: Uint8Array): CborValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  return readItem(0)

  function readItem(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw new RangeError('CBOR: nested too deep')
    const start = at
    const first = view.getUint8(at++)
    const major = first >> 5
    const info = first & 0x1f
    if (major === MAJOR.simple) return readSimple(info)
    const size = info === INDEFINITE ? null : readArgument(info)
    switch (major) {
      case MAJOR.unsigned:
        return requireSize(size)
      case MAJOR.negative:
        return -1n - requireSize(size)
      case MAJOR.bytes:
        return joinBytes(readChunks(size, major))
      case MAJOR.text:
        return readChunks(size, major).map(readUtf8).join('')
      case MAJOR.array: {
        const items: CborValue[] = []
        for (let i = 0n; hasNext(i, size); i++) items.push(readItem(depth + 1))
        return items
      }
      case MAJOR.map: {
        const map = new Map<string, CborValue>()
        for (let i = 0n; hasNext(i, size); i++) map.set(readKey(depth + 1), readItem(depth + 1))
        return map
      }
      default:
        requireSize(size)
        readItem(depth + 1)
        return { tag: Number(size), bytes: bytes.slice(start, at) }
    }
  }

  function readKey(depth: number): string {
    const start = at
    const key = readItem(depth)
    if (typeof key === 'string') return key
    return typeof key === 'bigint' ? String(key) : `0x${toHex(bytes.subarray(start, at))}`
  }

  function readSimple(info: number): CborValue {
    if (info === 20 || info === 21) return info === 21
    if (info === 22) return null
    if (info === 23) return undefined
    if (info < 25 || info > 27) throw new RangeError(`CBOR: simple value ${info}`)
    at += 2 ** (info - 24)
    if (info === 27) return view.getFloat64(at - 8)
    return info === 26 ? view.getFloat32(at - 4) : readHalf(view.getUint16(at - 2))
  }

  function readArgument(info: number): bigint {
    if (info < 24) return BigInt(info)
    if (info > 27) throw new RangeError(`CBOR: additional information ${info}`)
    const size = 2 ** (info - 24)
    at += size
    if (size === 8) return view.getBigUint64(at - 8)
    if (size === 4) return BigInt(view.getUint32(at - 4))
    return BigInt(size === 2 ? view.getUint16(at - 2) : view.getUint8(at - 1))
  }

  function readChunks(size: bigint | null, major: number): Uint8Array[] {
    if (size !== null) return [readBytes(size)]
    const chunks: Uint8Array[] = []
    while (!isBreak()) {
      const first = view.getUint8(at++)
      if (first >> 5 !== major) throw new RangeError('CBOR: a chunk of another type')
      chunks.push(readBytes(readArgument(first & 0x1f)))
    }
    return chunks
  }

  function readBytes(size: bigint): Uint8Array {
    if (BigInt(at) + size > BigInt(bytes.length)) throw new RangeError('CBOR: cut off')
    at += Number(size)
    return bytes.slice(at - Number(size), at)
  }

  function hasNext(done: bigint, size: bigint | null): boolean {
    return size === null ? !isBreak() : done < size
  }

  function isBreak(): boolean {
    if (view.getUint8(at) !== BREAK) return false
    at++
    return true
  }
}

/** Objects as maps; numbers as integers where they are whole, else as 64-bit floats. */
export function encodeCborItem(value: unknown): Uint8Array {
  if (value === null || value === undefined) return Uint8Array.of(0xf6)
  if (typeof value === 'boolean') return Uint8Array.of(value ? 0xf5 : 0xf4)
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    const whole = BigInt(value as number | bigint)
    return whole < 0n ? encodeHead(MAJOR.negative, -1n - whole) : encodeHead(MAJOR.unsigned, whole)
  }
  if (typeof value === 'number') {
    const bytes = new Uint8Array(9)
    bytes[0] = 0xfb
    new DataView(bytes.buffer).setFloat64(1, value)
    return bytes
  }
  if (typeof value === 'string') {
    const bytes = toUtf8(value)
    return concatBytes(encodeHead(MAJOR.text, BigInt(bytes.length)), bytes)
  }
  if (value instanceof Uint8Array) {
    return concatBytes(encodeHead(MAJOR.bytes, BigInt(value.length)), value)
  }
  if (Array.isArray(value)) {
    const items = value.map(encodeCborItem)
    return joinBytes([encodeHead(MAJOR.array, BigInt(items.length)), ...items])
  }
  if (typeof value !== 'object') throw new RangeError(`CBOR: a ${typeof value}`)
  const pairs = Object.entries(value)
  return joinBytes([
    encodeHead(MAJOR.map, BigInt(pairs.length)),
    ...pairs.flatMap(pair => pair.map(encodeCborItem)),
  ])
}

function encodeHead(major: number, argument: bigint): Uint8Array {
  const top = major << 5
  if (argument < 24n) return Uint8Array.of(top | Number(argument))
  const power = argument < 2n ** 8n ? 0 : argument < 2n ** 16n ? 1 : argument < 2n ** 32n ? 2 : 3
  const size = 2 ** power
  const bytes = new Uint8Array(9)
  new DataView(bytes.buffer).setBigUint64(1, argument)
  return concatBytes(Uint8Array.of(top | (24 + power)), bytes.subarray(9 - size))
}

function requireSize(size: bigint | null): bigint {
  if (size === null) throw new RangeError('CBOR: a number without an end')
  return size
}

function readUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** RFC 8949, appendix D. */
function readHalf(half: number): number {
  const exponent = (half >> 10) & 0x1f
  const mantissa = half & 0x3ff
  const size =
    exponent === 0
      ? mantissa * 2 ** -24
      : exponent === 31
        ? mantissa === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : (mantissa + 1024) * 2 ** (exponent - 25)
  return half & 0x8000 ? -size : size
}
