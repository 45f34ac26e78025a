/** A list of RLP with the bytes that it was read from. */
export interface RlpList {
  readonly items: readonly RlpItem[]
  readonly raw: Uint8Array
}

export type RlpItem = Uint8Array | RlpList

/** What RLP is written from: bytes, integers (without leading zeros, zero as no bytes), lists of them, and lists that were read. */
export type RlpValue = Uint8Array | bigint | readonly RlpValue[] | RlpList

/** Bytes that are not RLP, or not that of what was expected; the text is geth's. */
export class RlpError extends Error {
  override readonly name = 'RlpError'
}

const TOO_LONG = 'rlp: value size exceeds available input length'

/** Deeper than anything in a block; input does not decide how deep the stack gets. */
const MAX_DEPTH = 10

/** Reads one value in canonical RLP, with nothing behind it. Its bytes are views of the input. Throws `RlpError`. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  if (bytes.length === 0) throw new RlpError('rlp: unexpected EOF')
  const { start, end, isList } = readHead(bytes, 0, bytes.length, TOO_LONG)
  if (end !== bytes.length) throw new RlpError('rlp: input contains more than one value')
  return isList ? readList(bytes, 0, start, end, 1) : bytes.subarray(start, end)
}

export function isRlpList(item: RlpItem): item is RlpList {
  return !(item instanceof Uint8Array)
}

function readList(
  bytes: Uint8Array,
  headStart: number,
  start: number,
  end: number,
  depth: number,
): RlpList {
  if (depth > MAX_DEPTH) throw new RlpError('rlp: lists are nested too deeply')
  const items: RlpItem[] = []
  let position = start
  while (position < end) {
    const head = readHead(bytes, position, end, 'rlp: element is larger than containing list')
    items.push(
      head.isList
        ? readList(bytes, position, head.start, head.end, depth + 1)
        : bytes.subarray(head.start, head.end),
    )
    position = head.end
  }
  return { items, raw: bytes.subarray(headStart, end) }
}

/**
 * Where the content of the value at `position` is, within what ends at `limit`.
 *
 * @param beyond - the error's text where it would end behind that
 */
function readHead(bytes: Uint8Array, position: number, limit: number, beyond: string) {
  const first = bytes[position] as number
  if (first < 0x80) return { start: position, end: position + 1, isList: false }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const lengthBytes = Math.max(0, short - 55)
  const start = position + 1 + lengthBytes
  const length = lengthBytes === 0 ? short : readLength(bytes, position + 1, lengthBytes, limit)
  if (length > limit - start) throw new RlpError(beyond)
  if (!isList && short === 1 && (bytes[start] as number) < 0x80) {
    throw new RlpError('rlp: non-canonical size information')
  }
  return { start, end: start + length, isList }
}

function readLength(bytes: Uint8Array, position: number, count: number, limit: number): number {
  if (position + count > limit) throw new RlpError(TOO_LONG)
  let length = 0
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[position + i] as number)
  if (bytes[position] === 0 || length < 56) {
    throw new RlpError('rlp: non-canonical size information')
  }
  return length
}

/** Writes a value in RLP. */
export function encodeRlp(value: RlpValue): Uint8Array {
  const output = new Uint8Array(encodedLength(value))
  write(output, 0, value)
  return output
}

function encodedLength(value: RlpValue): number {
  if (value instanceof Uint8Array) {
    if (value.length === 1 && (value[0] as number) < 0x80) return 1
    return headLength(value.length) + value.length
  }
  if (typeof value === 'bigint') {
    const length = integerLength(value)
    return value < 0x80n ? 1 : headLength(length) + length
  }
  if ('raw' in value) return value.raw.length
  const length = contentLength(value)
  return headLength(length) + length
}

function contentLength(list: readonly RlpValue[]): number {
  let length = 0
  for (const value of list) length += encodedLength(value)
  return length
}

function headLength(length: number): number {
  return length < 56 ? 1 : 1 + byteCount(length)
}

function write(output: Uint8Array, position: number, value: RlpValue): number {
  if (value instanceof Uint8Array) {
    if (value.length === 1 && (value[0] as number) < 0x80) {
      output[position] = value[0] as number
      return position + 1
    }
    const start = writeHead(output, position, 0x80, value.length)
    output.set(value, start)
    return start + value.length
  }
  if (typeof value === 'bigint') return writeInteger(output, position, value)
  if ('raw' in value) {
    output.set(value.raw, position)
    return position + value.raw.length
  }
  let end = writeHead(output, position, 0xc0, contentLength(value))
  for (const item of value) end = write(output, end, item)
  return end
}

function writeHead(output: Uint8Array, position: number, base: number, length: number): number {
  if (length < 56) {
    output[position] = base + length
    return position + 1
  }
  const count = byteCount(length)
  output[position] = base + 55 + count
  for (let i = count, rest = length; i > 0; i--, rest = Math.floor(rest / 256)) {
    output[position + i] = rest % 256
  }
  return position + 1 + count
}

function writeInteger(output: Uint8Array, position: number, value: bigint): number {
  if (value > 0n && value < 0x80n) {
    output[position] = Number(value)
    return position + 1
  }
  const length = integerLength(value)
  const start = writeHead(output, position, 0x80, length)
  if (length > 0) output.set(Buffer.from(toEvenHex(value), 'hex'), start)
  return start + length
}

function integerLength(value: bigint): number {
  return value === 0n ? 0 : toEvenHex(value).length / 2
}

function toEvenHex(value: bigint): string {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

function byteCount(length: number): number {
  let count = 0
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) count += 1
  return count
}
