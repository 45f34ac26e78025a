import { sha256 } from 'bitcoinjs-lib/src/crypto'

/** Numbers from 0 up to 1 by xoshiro256** (Blackman and Vigna), started from the SHA-256 of a seed (BCR-2024-001). */
export function createXoshiro(seed: Uint8Array): () => number {
  const digest = sha256(seed)
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
  let [a, b, c, d] = [0, 8, 16, 24].map(at => view.getBigUint64(at)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  return () => {
    const result = wrap(rotateLeft(wrap(b * 5n), 7n) * 9n)
    const shifted = wrap(b << 17n)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotateLeft(d, 45n)
    return Number(result) / 2 ** 64
  }
}

/** A whole number from `low` to `high`, both of which can be. */
export function nextInteger(next: () => number, low: number, high: number): number {
  return Math.floor(next() * (high - low + 1)) + low
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}

function rotateLeft(value: bigint, bits: bigint): bigint {
  return wrap(value << bits) | (value >> (64n - bits))
}

/** Draws the indexes of weights, each as often as its weight says (Walker's alias method, as Schwarz describes it). */
export function createSampler(weights: readonly number[]): (next: () => number) => number {
  const count = weights.length
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const scaled = weights.map(weight => (weight * count) / sum)
  const [small, large]: [number[], number[]] = [[], []]
  // BCR-2024-001 goes from the last to the first, which decides who is the alias of whom.
  for (let i = count - 1; i >= 0; i--) (at(scaled, i) < 1 ? small : large).push(i)
  const chances = new Array<number>(count).fill(1)
  const aliases = new Array<number>(count).fill(0)
  while (small.length > 0 && large.length > 0) {
    const [less, more] = [small.pop() as number, large.pop() as number]
    chances[less] = at(scaled, less)
    aliases[less] = more
    scaled[more] = at(scaled, more) + at(scaled, less) - 1
    ;(at(scaled, more) < 1 ? small : large).push(more)
  }
  return next => {
    const [first, second] = [next(), next()]
    const index = Math.floor(count * first)
    return second < at(chances, index) ? index : at(aliases, index)
  }
}

/**
 * Which fragments a part of a message is made of, by its sequence number (from 1), as indexes from 0: the first `count` parts
 * are one fragment each, all others some, by a draw that sequence number and checksum decide (BCR-2024-001).
 */
export function createFragmentChoice(
  count: number,
  checksum: number,
): (sequence: number) => number[] {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1))
  const sample = createSampler(weights)
  return sequence => {
    if (sequence <= count) return [sequence - 1]
    const seed = new DataView(new ArrayBuffer(8))
    seed.setUint32(0, sequence)
    seed.setUint32(4, checksum)
    const next = createXoshiro(new Uint8Array(seed.buffer))
    const degree = sample(next) + 1
    return drawIndexes(count, degree, next)
  }
}

/** The first of a shuffle of 0 … count - 1: each is taken out of what is left. */
export function drawIndexes(count: number, drawn: number, next: () => number): number[] {
  const left = Array.from({ length: count }, (_, index) => index)
  return Array.from({ length: drawn }, () => {
    const [index] = left.splice(nextInteger(next, 0, left.length - 1), 1)
    return index as number
  })
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0
}
