import { equalBytes } from '../../bitcoin/bytes.ts'

/** Returns `length` random bytes. */
export type RandomSource = (length: number) => Uint8Array

/** The browser's secure generator; the only source of randomness in the wallet. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}

/**
 * Draws 12 bytes or more for a key, salt or IV. Throws {@link WeakRandomError} when the source is visibly stuck: the bytes
 * are all the same, or a second draw gives the first again. A sound source does that once in 2^88 draws.
 */
export function drawRandom(random: RandomSource, length: number): Uint8Array {
  if (length < 12) throw new RangeError(`random: ${length} bytes are too few to check`)
  const bytes = random(length)
  const again = random(length)
  const stuck = bytes.every(byte => byte === bytes[0]) || equalBytes(bytes, again)
  again.fill(0)
  if (bytes.length !== length || stuck) throw new WeakRandomError()
  return bytes
}

export class WeakRandomError extends Error {
  override name = 'WeakRandomError'
  constructor() {
    super('The source of randomness is stuck.')
  }
}
