import { crc32 } from './bytewords.ts'
import { decodeCbor, encodeCbor } from './cbor.ts'
import { createFragmentChoice } from './fragment-choice.ts'
import { MAX_MESSAGE_BYTES, QrCodeError } from './qr-error.ts'

/** A part of a message as BCR-2024-001 has it: `sequence` counts from 1, `count` is of fragments, `checksum` of the message. */
export type FountainPart = {
  sequence: number
  count: number
  messageLength: number
  checksum: number
  data: Uint8Array
}

/** Fragments of a message, at most: what 100 kB have in the smallest codes. Working them out stays a matter of seconds. */
export const MAX_FRAGMENTS = 3_000

const MAX_SEQUENCE = 2 ** 32 - 1

/** Cuts a message into fragments of at most so many bytes, all of one size; gives the parts by sequence number. */
export function createFountainEncoder(
  message: Uint8Array,
  maxFragmentLength: number,
): { count: number; part: (sequence: number) => FountainPart } {
  if (message.length === 0) throw new RangeError('message: expected at least 1 byte')
  const fewest = Math.ceil(message.length / maxFragmentLength)
  const length = Math.ceil(message.length / fewest)
  const count = Math.ceil(message.length / length)
  const checksum = crc32(message)
  const choose = createFragmentChoice(count, checksum)
  const part = (sequence: number) => {
    const data = new Uint8Array(length)
    for (const index of choose(sequence))
      addInto(data, message.subarray(index * length, (index + 1) * length))
    return { sequence, count, messageLength: message.length, checksum, data }
  }
  return { count, part }
}

export function encodeFountainPart(part: FountainPart): Uint8Array {
  return encodeCbor([part.sequence, part.count, part.messageLength, part.checksum, part.data])
}

/** Reads a part and checks that its numbers can be those of a message that is taken; throws {@link QrCodeError}. */
export function decodeFountainPart(bytes: Uint8Array): FountainPart {
  const item = decodeCbor(bytes)
  if (!Array.isArray(item) || item.length !== 5)
    throw new QrCodeError('damaged', 'part: expected an array of 5 items')
  const [sequence, count, messageLength, checksum, data] = item
  if (!isBelow(sequence, MAX_SEQUENCE) || sequence < 1)
    throw new QrCodeError('damaged', 'sequence number: expected a number from 1 to 2^32 - 1')
  if (!isBelow(count, MAX_SEQUENCE) || !isBelow(messageLength, Number.MAX_SAFE_INTEGER))
    throw new QrCodeError('damaged', 'number of parts and length: expected whole numbers')
  if (!isBelow(checksum, MAX_SEQUENCE))
    throw new QrCodeError('damaged', 'checksum: expected a number below 2^32')
  if (!(data instanceof Uint8Array)) throw new QrCodeError('damaged', 'fragment: expected bytes')
  if (messageLength > MAX_MESSAGE_BYTES)
    throw new QrCodeError(
      'too-large',
      `expected at most ${MAX_MESSAGE_BYTES} bytes, found ${messageLength}`,
    )
  if (count > MAX_FRAGMENTS)
    throw new QrCodeError('too-large', `expected at most ${MAX_FRAGMENTS} parts, found ${count}`)
  if (messageLength > count * data.length || messageLength <= (count - 1) * data.length)
    throw new QrCodeError(
      'damaged',
      'fragment: expected the length that the message and its parts give',
    )
  return { sequence, count, messageLength, checksum, data }
}

/**
 * Puts a message together from parts in any order, by Gaussian elimination: it is done with the fewest parts that can be
 * enough, and never keeps more bytes than the message has fragments, however many parts come.
 */
export type FountainDecoder = {
  /** The part whose numbers all others share. */
  readonly first: FountainPart
  /** How many fragments' worth is known. */
  readonly known: () => number
  /** Takes a part; throws {@link QrCodeError} when it is of another message. */
  readonly add: (part: FountainPart) => void
  /** The message, null while parts are missing; throws {@link QrCodeError} when its checksum is wrong. */
  readonly finish: () => Uint8Array | null
}

export function createFountainDecoder(first: FountainPart): FountainDecoder {
  const { count, messageLength, checksum } = first
  const length = first.data.length
  const choose = createFragmentChoice(count, checksum)
  const memberWords = Math.ceil(count / 32)
  const rowWords = memberWords + Math.ceil(length / 4)
  /**
   * What is known, as rows of a system of equations: a bit for each fragment that is in it, then the fragments added up (XOR).
   * By the lowest fragment in a row, which no other row has as its lowest.
   */
  const rows = new Map<number, Uint32Array>()

  const add = (part: FountainPart) => {
    if (!isOfSameMessage(first, part))
      throw new QrCodeError('mixed', 'a part is of another message than those before')
    if (rows.size === count) return
    const row = new Uint32Array(rowWords)
    for (const index of choose(part.sequence)) setMember(row, index)
    new Uint8Array(row.buffer).set(part.data, 4 * memberWords)
    for (let at = 0; at < memberWords; at++) {
      while (word(row, at) !== 0) {
        const bits = word(row, at)
        const lowest = 32 * at + 31 - Math.clz32(bits & -bits)
        const known = rows.get(lowest)
        if (!known) {
          rows.set(lowest, row)
          return
        }
        addWords(row, known, at)
      }
    }
  }

  const finish = () => {
    if (rows.size < count) return null
    const message = new Uint8Array(count * length)
    for (let index = count - 1; index >= 0; index--) {
      // All later rows have come down to their own fragment by now.
      const row = rows.get(index) as Uint32Array
      for (let other = index + 1; other < count; other++)
        if (word(row, other >>> 5) & (1 << (other & 31)))
          addWords(row, rows.get(other) as Uint32Array, other >>> 5)
      const data = new Uint8Array(row.buffer, 4 * memberWords, length)
      message.set(data, index * length)
    }
    const whole = message.subarray(0, messageLength)
    if (crc32(whole) !== checksum)
      throw new QrCodeError('checksum', 'the parts make a message with another checksum')
    return whole
  }

  add(first)
  return { first, known: () => rows.size, add, finish }
}

function isOfSameMessage(a: FountainPart, b: FountainPart): boolean {
  return (
    a.count === b.count &&
    a.messageLength === b.messageLength &&
    a.checksum === b.checksum &&
    a.data.length === b.data.length
  )
}

/** XOR of rows from a word on, before which both have none. */
function addWords(sum: Uint32Array, row: Uint32Array, from: number): void {
  for (let i = from; i < sum.length; i++) sum[i] = word(sum, i) ^ word(row, i)
}

function setMember(row: Uint32Array, index: number): void {
  row[index >>> 5] = word(row, index >>> 5) | (1 << (index & 31))
}

/** XOR. */
function addInto(sum: Uint8Array, bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) sum[i] = (sum[i] ?? 0) ^ (bytes[i] ?? 0)
}

function word(words: Uint32Array, index: number): number {
  return words[index] ?? 0
}

function isBelow(value: unknown, most: number): value is number {
  return typeof value === 'number' && value >= 0 && value <= most
}
