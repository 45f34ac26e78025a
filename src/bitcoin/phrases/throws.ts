// Words of a person's own throws, as SeedSigner and Coldcard make them: the SHA-256 of the throws, written as digits.

import { sha256 } from '@noble/hashes/sha2.js'
import english from 'bip39/src/wordlists/english.json' with { type: 'json' }
import { toHex, toUtf8 } from '../bytes.ts'

export type ThrowSource = 'dice' | 'coin'
export type WordCount = 12 | 24

/** How a throw is written. */
const FACES: { [source in ThrowSource]: string } = { dice: '123456', coin: '01' }

/** As many as have 128 and 256 bits: 50 and 99 dice have 129 and 255.9. */
const LEAST: { [source in ThrowSource]: { [words in WordCount]: number } } = {
  dice: { 12: 50, 24: 99 },
  coin: { 12: 128, 24: 256 },
}

export const MOST_THROWS = 1000

export function leastThrows(source: ThrowSource, words: WordCount): number {
  return LEAST[source][words]
}

/** The throws of a typed text, without spaces; `wrong` is the first character that is no throw, with its place among these, from 0. */
export function readThrows(
  source: ThrowSource,
  text: string,
): { throws: string; wrong: { character: string; place: number } | null } {
  const characters = [...text.replace(/\s+/g, '')]
  const place = characters.findIndex(character => !FACES[source].includes(character))
  const character = characters[place]
  return {
    throws: characters.join(''),
    wrong: character === undefined ? null : { character, place },
  }
}

/** Each step from throws to words, to be done again by hand; all in hex but the bits. */
export type Derivation = {
  throws: string
  hash: string
  /** The first half of the hash for 12 words, all of it for 24. */
  entropy: string
  /** SHA-256 of the entropy, of which the first bits are the checksum. */
  entropyHash: string
  checksum: string
  /** Eleven bits each, of which the last end in the checksum. */
  parts: { bits: string; index: number; word: string }[]
}

/** Throws RangeError where there are too few, too many, or what is no throw. */
export function deriveFromThrows(
  source: ThrowSource,
  throws: string,
  words: WordCount,
): Derivation {
  const least = leastThrows(source, words)
  if (readThrows(source, throws).wrong || /\s/.test(throws))
    throw new RangeError(`throws: expected ${[...FACES[source]].join(', ')} alone`)
  if (throws.length < least || throws.length > MOST_THROWS)
    throw new RangeError(`throws: got ${throws.length}, expected ${least} to ${MOST_THROWS}`)
  const hash = sha256(toUtf8(throws))
  const entropy = hash.slice(0, (words * 4) / 3)
  const entropyHash = sha256(entropy)
  const checksum = toBits(entropyHash).slice(0, words / 3)
  const all = toBits(entropy) + checksum
  const parts = Array.from({ length: words }, (_, at) => {
    const bits = all.slice(11 * at, 11 * at + 11)
    const index = Number.parseInt(bits, 2)
    return { bits, index, word: english[index] ?? '' }
  })
  const derivation = {
    ...{ throws, checksum, parts },
    hash: toHex(hash),
    entropy: toHex(entropy),
    entropyHash: toHex(entropyHash),
  }
  for (const bytes of [hash, entropy, entropyHash]) bytes.fill(0)
  return derivation
}

function toBits(bytes: Uint8Array): string {
  return [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
}

/** Something that fair throws do rarely. */
export type Oddity = {
  /** One face too often, or one step too often from a throw to the next, as in 1, 2, 3 or in the same face again and again. */
  kind: 'face' | 'step'
  /** The face, or what the step adds to one, starting again after the last. */
  value: string
  count: number
  of: number
  /** Of how many tries with fair throws at most one would show it, rounded down to a power of ten. */
  tries: number
}

/** From this on a person is told: one try of a thousand that is fair is told of as well. */
const RARE = 1000

/** What fair throws would rarely do, the rarest first. */
export function findOddities(source: ThrowSource, throws: string): Oddity[] {
  const faces = FACES[source]
  const values = [...throws].map(face => faces.indexOf(face))
  const steps = values
    .slice(1)
    .map((value, at) => (value - (values[at] ?? 0) + faces.length) % faces.length)
  const named = [
    ...judge('face', values, faces.length, value => faces[value] ?? ''),
    ...judge('step', steps, faces.length, String),
  ]
  return named.sort((a, b) => b.tries - a.tries)
}

/** Whether the commonest of some equally likely values is commoner than one try of {@link RARE} has it. */
function judge(
  kind: Oddity['kind'],
  values: readonly number[],
  sides: number,
  name: (value: number) => string,
): Oddity[] {
  const counts = Array.from(
    { length: sides },
    (_, side) => values.filter(value => value === side).length,
  )
  const count = Math.max(...counts)
  // Any side could have been the commonest.
  const chance = sides * tailOf(values.length, 1 / sides, count)
  if (chance * RARE >= 1) return []
  const tries = 10 ** Math.floor(-Math.log10(chance))
  return [{ kind, value: name(counts.indexOf(count)), count, of: values.length, tries }]
}

/** The chance that of `total` events of a likelihood at least `count` come true. */
function tailOf(total: number, likelihood: number, count: number): number {
  let sum = 0
  // The logarithm of the chance of exactly `hits`.
  let log = total * Math.log1p(-likelihood)
  for (let hits = 0; hits <= total; hits++) {
    if (hits >= count) sum += Math.exp(log)
    log += Math.log((total - hits) / (hits + 1)) + Math.log(likelihood / (1 - likelihood))
  }
  return sum
}
