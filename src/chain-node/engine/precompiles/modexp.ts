import type { Clock } from '../clock.ts'

/** Squarings of the smallest numbers that take some milliseconds. */
const WORK_BETWEEN_LOOKS = 10_000
/** Bits of a modulus with which a squaring takes about twice as long as with none. */
const BITS_OF_WORK = 2_000

/**
 * `base` to the power of `exponent`, modulo `modulus`, with pauses: it takes a time that grows with the length of the exponent,
 * where an integer of that length would have to be shifted for each of its bits.
 *
 * @param exponent - big-endian, of any length
 * @param zeros - bytes of zero that follow on the exponent
 * @param modulus - more than zero
 */
export async function raiseModulo(
  base: bigint,
  exponent: Uint8Array,
  zeros: number,
  modulus: bigint,
  clock: Clock,
): Promise<bigint> {
  const reduced = base % modulus
  const powers = [1n % modulus]
  for (let i = 1; i < 16; i++) powers.push(((powers[i - 1] as bigint) * reduced) % modulus)
  const weight = 1 + modulus.toString(16).length / (BITS_OF_WORK / 4)
  const pace = Math.max(1, Math.floor(WORK_BETWEEN_LOOKS / (8 * weight * weight)))
  let result = 1n % modulus
  for (let i = 0; i < exponent.length + zeros; i++) {
    if (i > 0 && i % pace === 0) await clock.tick()
    const byte = exponent[i] ?? 0
    // What stands before the first bit that is set multiplies 1 by itself.
    if (byte === 0 && result === 1n) continue
    for (const digit of [byte >> 4, byte & 15]) {
      for (let bit = 0; bit < 4; bit++) result = (result * result) % modulus
      if (digit > 0) result = (result * (powers[digit] as bigint)) % modulus
    }
  }
  return result
}
