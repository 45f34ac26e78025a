import type { Clock } from '../clock.ts'

/** Input of EIP-152: rounds (4 bytes), h (64), m (128), t (16), f (1). */
export const BLAKE2F_INPUT = 213

/** Some milliseconds. */
const ROUNDS_BETWEEN_LOOKS = 2_000

/**
 * The compression function of BLAKE2b with as many rounds as the input says (EIP-152, RFC 7693 section 3.2), and pauses between.
 *
 * @param input - of that length, with an `f` of 0 or 1
 * @returns 64 bytes
 */
export async function compressBlake2b(input: Uint8Array, clock: Clock): Promise<Uint8Array> {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
  const rounds = view.getUint32(0)
  // Words of 64 bits are two of 32, the lower one first.
  const h = readWords(view, 4, 16)
  const m = readWords(view, 68, 32)
  const t = readWords(view, 196, 4)
  const v = new Uint32Array(32)
  v.set(h)
  v.set(IV, 16)
  for (let i = 0; i < 4; i++) v[24 + i] = word(v, 24 + i) ^ word(t, i)
  if (input[212] === 1) {
    v[28] = ~word(v, 28)
    v[29] = ~word(v, 29)
  }
  for (let done = 0; done < rounds; done += ROUNDS_BETWEEN_LOOKS) {
    if (done > 0) await clock.tick()
    runRounds(v, m, done, Math.min(rounds, done + ROUNDS_BETWEEN_LOOKS))
  }
  const output = new Uint8Array(64)
  const written = new DataView(output.buffer)
  for (let i = 0; i < 16; i++) {
    written.setUint32(4 * i, word(h, i) ^ word(v, i) ^ word(v, i + 16), true)
  }
  return output
}

function runRounds(v: Uint32Array, m: Uint32Array, from: number, to: number): void {
  for (let round = from; round < to; round++) {
    const row = 16 * (round % 10)
    for (let i = 0; i < 8; i++) {
      const place = 4 * i
      mix(
        v,
        (PLACES[place] as number) * 2,
        (PLACES[place + 1] as number) * 2,
        (PLACES[place + 2] as number) * 2,
        (PLACES[place + 3] as number) * 2,
        m,
        (SIGMA[row + 2 * i] as number) * 2,
        (SIGMA[row + 2 * i + 1] as number) * 2,
      )
    }
  }
}

/** The function G: places of lower halves in `v`, and in `m` for `x` and `y`. */
function mix(
  v: Uint32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  m: Uint32Array,
  x: number,
  y: number,
): void {
  add(v, a, word(v, b), word(v, b + 1))
  add(v, a, word(m, x), word(m, x + 1))
  let low = word(v, d) ^ word(v, a)
  let high = word(v, d + 1) ^ word(v, a + 1)
  v[d] = high
  v[d + 1] = low
  add(v, c, word(v, d), word(v, d + 1))
  low = word(v, b) ^ word(v, c)
  high = word(v, b + 1) ^ word(v, c + 1)
  v[b] = (low >>> 24) | (high << 8)
  v[b + 1] = (high >>> 24) | (low << 8)
  add(v, a, word(v, b), word(v, b + 1))
  add(v, a, word(m, y), word(m, y + 1))
  low = word(v, d) ^ word(v, a)
  high = word(v, d + 1) ^ word(v, a + 1)
  v[d] = (low >>> 16) | (high << 16)
  v[d + 1] = (high >>> 16) | (low << 16)
  add(v, c, word(v, d), word(v, d + 1))
  low = word(v, b) ^ word(v, c)
  high = word(v, b + 1) ^ word(v, c + 1)
  v[b] = (high >>> 31) | (low << 1)
  v[b + 1] = (low >>> 31) | (high << 1)
}

function add(v: Uint32Array, place: number, low: number, high: number): void {
  const sum = word(v, place) + low
  v[place] = sum
  v[place + 1] = word(v, place + 1) + high + (sum > 0xffffffff ? 1 : 0)
}

function word(words: Uint32Array, index: number): number {
  return words[index] as number
}

function readWords(view: DataView, start: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(start + 4 * i, true))
}

/** Which words of the state each of the eight mixings of a round takes: columns, then diagonals. */
// biome-ignore format: a row for each mixing
const PLACES = Uint8Array.from([
  0, 4, 8, 12,
  1, 5, 9, 13,
  2, 6, 10, 14,
  3, 7, 11, 15,
  0, 5, 10, 15,
  1, 6, 11, 12,
  2, 7, 8, 13,
  3, 4, 9, 14,
])

/** SHA-512's initial values, lower halves first. */
const IV = Uint32Array.from([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
])

/** The message schedule of RFC 7693, section 2.7. */
// biome-ignore format: a row for each round
const SIGMA = Uint8Array.from([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
  11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
  7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
  9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
  2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
  12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
  13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
  6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
  10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
])
