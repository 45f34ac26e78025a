import type { Common } from '@ethereumjs/common'
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

/**
 * The gas of a power whose exponent has more than 32 bytes: EIP-198, from Berlin on EIP-2565, from Osaka on EIP-7883.
 *
 * @param power - in bytes, the longer of base and modulus; in bytes, the exponent; the first 32 bytes of that
 */
export function priceModexp(
  common: Common,
  power: {
    readonly length: bigint
    readonly exponentLength: bigint
    readonly exponentHead: bigint
  },
): bigint {
  const { length, exponentLength, exponentHead } = power
  const bits = exponentHead === 0n ? 0n : BigInt(exponentHead.toString(2).length - 1)
  const words = (length + 7n) / 8n
  if (common.isActivatedEIP(7883)) {
    const gas = (16n * (exponentLength - 32n) + bits) * (length > 32n ? 2n * words * words : 16n)
    return gas > 500n ? gas : 500n
  }
  const steps = 8n * (exponentLength - 32n) + bits
  const divisor = common.param('modexpGquaddivisorGas')
  if (!common.isActivatedEIP(2565)) return (steps * estimateProduct(length)) / divisor
  const gas = (steps * words * words) / divisor
  return gas > 200n ? gas : 200n
}

/** EIP-198's `mult_complexity`. */
function estimateProduct(length: bigint): bigint {
  const square = length * length
  if (length <= 64n) return square
  if (length <= 1024n) return square / 4n + 96n * length - 3072n
  return square / 16n + 480n * length - 199_680n
}
