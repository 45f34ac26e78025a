import { blake2b } from '@noble/hashes/blake2.js'
import { letOthersRun } from '../../primitives/pause.ts'
import { permute } from './argon2-permutation.ts'

/** How hard Argon2id works: memory in KiB (a multiple of 4 for each lane), passes over it (t), lanes (p). */
export type Argon2Cost = { memoryKib: number; passes: number; lanes: number }

export type Argon2Input = Argon2Cost & {
  password: Uint8Array
  salt: Uint8Array
  secret?: Uint8Array
  associatedData?: Uint8Array
}

const VERSION = 0x13
const TYPE_ARGON2ID = 2
const TAG_BYTES = 32
const BLOCK_BYTES = 1024
/** A block as 32-bit words. */
const BLOCK_WORDS = 256
/** Slices of a lane, which the lanes finish together (RFC 9106: SL). */
const SLICES = 4
/** Random numbers in one block of addresses. */
const ADDRESSES = 128
/** Blocks between two looks at the clock. */
const BLOCKS_A_LOOK = 64

/**
 * The 32-byte tag of RFC 9106's Argon2id, version 0x13, with a pause for others after each `sliceMs` of work. Its memory is
 * wiped afterwards. Bounds of the cost are the caller's.
 */
export async function hashArgon2id(input: Argon2Input, sliceMs: number): Promise<Uint8Array> {
  const matrix = createMatrix(input)
  let since = Date.now()
  let blocks = 0
  for (let pass = 0; pass < input.passes; pass++) {
    for (let slice = 0; slice < SLICES; slice++) {
      for (let lane = 0; lane < input.lanes; lane++) {
        const segment = openSegment(matrix, { pass, slice, lane })
        while (fillBlock(matrix, segment)) {
          if (++blocks % BLOCKS_A_LOOK !== 0 || Date.now() - since < sliceMs) continue
          await letOthersRun()
          since = Date.now()
        }
      }
    }
  }
  return takeTag(matrix)
}

/** The memory: `lanes` rows of `columns` blocks, in words of 32 bits. */
type Matrix = {
  words: Int32Array
  lanes: number
  columns: number
  passes: number
  /** What the permutation works on. */
  scratch: Int32Array
}

/** The blocks of one lane in one slice of one pass, of which `index` is filled next. */
type Segment = {
  pass: number
  slice: number
  lane: number
  index: number
  /** Where addresses come from where they must not tell of the password: addresses, their input, zeros. */
  addresses: Int32Array | null
}

/** The memory with the first two blocks of each lane. */
function createMatrix({ memoryKib, passes, lanes, ...input }: Argon2Input): Matrix {
  const columns = SLICES * Math.floor(memoryKib / (SLICES * lanes))
  const words = new Int32Array(lanes * columns * BLOCK_WORDS)
  const none = new Uint8Array(0)
  const { password, salt, secret = none, associatedData = none } = input
  const hash = blake2b.create()
  for (const number of [lanes, TAG_BYTES, memoryKib, passes, VERSION, TYPE_ARGON2ID]) {
    hash.update(toLe32(number))
  }
  for (const bytes of [password, salt, secret, associatedData]) {
    hash.update(toLe32(bytes.length)).update(bytes)
  }
  const seed = new Uint8Array(64 + 8)
  hash.digestInto(seed.subarray(0, 64))
  hash.destroy()
  for (let lane = 0; lane < lanes; lane++) {
    for (const column of [0, 1]) {
      seed.set(toLe32(column), 64)
      seed.set(toLe32(lane), 68)
      words.set(readWords(hashLong(seed, BLOCK_BYTES)), (lane * columns + column) * BLOCK_WORDS)
    }
  }
  seed.fill(0)
  return { words, lanes, columns, passes, scratch: new Int32Array(BLOCK_WORDS) }
}

function openSegment(matrix: Matrix, at: { pass: number; slice: number; lane: number }): Segment {
  const { pass, slice, lane } = at
  const first = pass === 0 && slice === 0 ? 2 : 0
  const segment: Segment = { ...at, index: first, addresses: null }
  if (pass === 0 && slice < SLICES / 2) {
    const addresses = new Int32Array(3 * BLOCK_WORDS)
    const blocks = matrix.lanes * matrix.columns
    const input = [pass, lane, slice, blocks, matrix.passes, TYPE_ARGON2ID]
    for (const [place, number] of input.entries()) addresses[BLOCK_WORDS + 2 * place] = number
    segment.addresses = addresses
    if (first > 0) nextAddresses(matrix.scratch, addresses)
  }
  return segment
}

/** Fills one block; false where the segment has no further one. */
function fillBlock(matrix: Matrix, segment: Segment): boolean {
  const { words, lanes, columns, scratch } = matrix
  const { pass, slice, lane, index, addresses } = segment
  const length = columns / SLICES
  if (index === length) return false
  segment.index++
  const column = slice * length + index
  const previous = (lane * columns + (column === 0 ? columns : column) - 1) * BLOCK_WORDS
  let [source, at] = [words, previous]
  if (addresses !== null) {
    if (index % ADDRESSES === 0) nextAddresses(scratch, addresses)
    source = addresses
    at = 2 * (index % ADDRESSES)
  }
  const j1 = (source[at] as number) >>> 0
  const j2 = (source[at + 1] as number) >>> 0
  const other = pass === 0 && slice === 0 ? lane : j2 % lanes
  const reference = other * columns + pickColumn(matrix, segment, { index, j1, other })
  const target = (lane * columns + column) * BLOCK_WORDS
  compress(words, scratch, previous, reference * BLOCK_WORDS, target, pass > 0)
  return true
}

/** Which block of a lane is referred to, among those that are finished (RFC 9106, section 3.4.2). */
function pickColumn(
  { columns }: Matrix,
  { pass, slice, lane }: Segment,
  { index, j1, other }: { index: number; j1: number; other: number },
): number {
  const length = columns / SLICES
  const finished = pass === 0 ? slice * length : columns - length
  const area = finished + (other === lane ? index - 1 : index === 0 ? -1 : 0)
  const x = multiplyHigh(j1, j1)
  const start = pass === 0 || slice === SLICES - 1 ? 0 : (slice + 1) * length
  return (start + area - 1 - multiplyHigh(area, x)) % columns
}

/** The compression function G of two blocks, written to a third or, after the first pass, added to it. */
function compress(
  words: Int32Array,
  scratch: Int32Array,
  x: number,
  y: number,
  target: number,
  isAdded: boolean,
): void {
  for (let i = 0; i < BLOCK_WORDS; i++) {
    const word = (words[x + i] as number) ^ (words[y + i] as number)
    scratch[i] = word
    words[target + i] = isAdded ? (words[target + i] as number) ^ word : word
  }
  for (let row = 0; row < BLOCK_WORDS; row += 32) permute(scratch, row, 4)
  for (let column = 0; column < 32; column += 4) permute(scratch, column, 32)
  for (let i = 0; i < BLOCK_WORDS; i++) {
    words[target + i] = (words[target + i] as number) ^ (scratch[i] as number)
  }
}

/** The next 128 addresses, in place. */
function nextAddresses(scratch: Int32Array, addresses: Int32Array): void {
  addresses[BLOCK_WORDS + 12] = (addresses[BLOCK_WORDS + 12] as number) + 1
  compress(addresses, scratch, BLOCK_WORDS, 2 * BLOCK_WORDS, 0, false)
  compress(addresses, scratch, 0, 2 * BLOCK_WORDS, 0, false)
}

/** The tag of the last column; wipes the memory. */
function takeTag({ words, lanes, columns, scratch }: Matrix): Uint8Array {
  scratch.fill(0)
  for (let lane = 0; lane < lanes; lane++) {
    const last = ((lane + 1) * columns - 1) * BLOCK_WORDS
    for (let i = 0; i < BLOCK_WORDS; i++) {
      scratch[i] = (scratch[i] as number) ^ (words[last + i] as number)
    }
  }
  const bytes = writeWords(scratch)
  const tag = hashLong(bytes, TAG_BYTES)
  for (const used of [words, scratch, bytes]) used.fill(0)
  return tag
}

/** The hash of any length (RFC 9106, section 3.3: H'). */
function hashLong(input: Uint8Array, length: number): Uint8Array {
  if (length <= 64) {
    return blake2b.create({ dkLen: length }).update(toLe32(length)).update(input).digest()
  }
  const output = new Uint8Array(length)
  let part = blake2b.create().update(toLe32(length)).update(input).digest()
  let at = 0
  for (; length - at > 64; at += 32) {
    output.set(part.subarray(0, 32), at)
    if (length - at > 96) part = blake2b(part)
  }
  output.set(blake2b(part, { dkLen: length - at }), at)
  return output
}

/** The upper 32 bits of the product of two numbers below 2^32. */
function multiplyHigh(a: number, b: number): number {
  // The product of doubles is within 1,024 of the exact one, whose lower half is known.
  return Math.floor((a * b - (Math.imul(a, b) >>> 0)) / 0x100000000 + 0.5)
}

function toLe32(number: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number, true)
  return bytes
}

function readWords(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int32Array.from({ length: bytes.length / 4 }, (_, i) => view.getInt32(4 * i, true))
}

function writeWords(words: Int32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length))
  for (const [i, word] of words.entries()) view.setInt32(4 * i, word, true)
  return new Uint8Array(view.buffer)
}
