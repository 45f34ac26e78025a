import { joinBytes } from '../../bitcoin/bytes.ts'

/** What CBOR can say: whole numbers are bigint, floats are numbers; {@link Opaque} for what no rule of Atomicals looks into. */
export type CborValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | readonly CborValue[]
  | CborMap
  | Opaque

export type CborMap = ReadonlyMap<CborValue, CborValue>

/** A date, an undefined or another value that is neither number, text, bytes, list nor map. */
export type Opaque = { opaque: true }

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const
const SIMPLE = { false: 20, true: 21, null: 22, oneByte: 24, float16: 25, float32: 26, float64: 27 }
const TAGS = { positive: 2n, negative: 3n, selfDescribed: 55799n }
const INDEFINITE = 31
const BREAK = 0xff
const OPAQUE: Opaque = { opaque: true }

/** About where the index's own decoder gives up. */
const MAX_DEPTH = 300

/** Whole numbers longer than this are not counted. */
const MAX_INTEGER_SIZE = 64

class InvalidPayloadError extends Error {
  override name = 'InvalidPayloadError'
}

/**
 * The map that an operation of Atomicals carries, as atomicals-electrumx reads it: any CBOR of RFC 8949, whatever follows it
 * left out. Null for everything else.
 */
export function decodePayload(bytes: Uint8Array): CborMap | null {
  try {
    const value = new PayloadReader(bytes).read(0)
    return isCborMap(value) ? value : null
  } catch (error) {
    // The last two: cut off, and text that is not UTF-8.
    if (
      error instanceof InvalidPayloadError ||
      error instanceof RangeError ||
      error instanceof TypeError
    )
      return null
    throw error
  }
}

export function isCborMap(value: CborValue | undefined): value is CborMap {
  return value instanceof Map
}

class PayloadReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  read(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw new InvalidPayloadError('nested too deep')
    const first = this.#view.getUint8(this.#at++)
    const major = first >> 5
    const info = first & 0x1f
    switch (major) {
      case MAJOR.unsigned:
        return this.#readArgument(info)
      case MAJOR.negative:
        return -1n - this.#readArgument(info)
      case MAJOR.bytes:
        return this.#readString(major, info)
      case MAJOR.text:
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
          this.#readString(major, info),
        )
      case MAJOR.array:
        return this.#repeat(info, () => this.read(depth + 1))
      case MAJOR.map: {
        const pairs = this.#repeat(
          info,
          () => [this.read(depth + 1), this.read(depth + 1)] as const,
        )
        return new Map(pairs)
      }
      case MAJOR.tag:
        return readTagged(this.#readArgument(info), this.read(depth + 1))
      default:
        return this.#readSimple(info)
    }
  }

  #readSimple(info: number): CborValue {
    const at = this.#at
    switch (info) {
      case SIMPLE.false:
      case SIMPLE.true:
        return info === SIMPLE.true
      case SIMPLE.null:
        return null
      case SIMPLE.float16:
        this.#at += 2
        return toHalf(this.#view.getUint16(at))
      case SIMPLE.float32:
        this.#at += 4
        return this.#view.getFloat32(at)
      case SIMPLE.float64:
        this.#at += 8
        return this.#view.getFloat64(at)
    }
    if (info > SIMPLE.oneByte) throw new InvalidPayloadError(`additional information ${info}`)
    if (info === SIMPLE.oneByte) this.#view.getUint8(this.#at++)
    return OPAQUE
  }

  #readArgument(info: number): bigint {
    if (info < 24) return BigInt(info)
    const at = this.#at
    const size = 2 ** (info - 24)
    if (size > 8) throw new InvalidPayloadError(`additional information ${info}`)
    this.#at += size
    if (size === 8) return this.#view.getBigUint64(at)
    if (size === 4) return BigInt(this.#view.getUint32(at))
    return BigInt(size === 2 ? this.#view.getUint16(at) : this.#view.getUint8(at))
  }

  #readString(major: number, info: number): Uint8Array {
    if (info === INDEFINITE) return joinBytes(this.#readChunks(major))
    const length = Number(this.#readArgument(info))
    if (length > this.#bytes.length - this.#at) throw new RangeError('cut off')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  #readChunks(major: number): Uint8Array[] {
    return this.#repeat(INDEFINITE, () => {
      const first = this.#view.getUint8(this.#at++)
      if (first >> 5 !== major || (first & 0x1f) === INDEFINITE)
        throw new InvalidPayloadError('a string in parts of another kind')
      return this.#readString(major, first & 0x1f)
    })
  }

  /** Each item takes a byte at least: more than there are bytes are not there. */
  #repeat<T>(info: number, read: () => T): T[] {
    const items: T[] = []
    if (info === INDEFINITE) {
      while (this.#view.getUint8(this.#at) !== BREAK) items.push(read())
      this.#at++
      return items
    }
    const count = this.#readArgument(info)
    if (count > BigInt(this.#bytes.length - this.#at)) throw new RangeError('cut off')
    while (items.length < count) items.push(read())
    return items
  }
}

function readTagged(tag: bigint, value: CborValue): CborValue {
  if (tag === TAGS.selfDescribed) return value
  const isInteger = tag === TAGS.positive || tag === TAGS.negative
  if (!isInteger || !(value instanceof Uint8Array)) return OPAQUE
  if (value.length > MAX_INTEGER_SIZE) return OPAQUE
  const magnitude = value.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return tag === TAGS.positive ? magnitude : -1n - magnitude
}

/** IEEE 754 binary16. */
function toHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}
