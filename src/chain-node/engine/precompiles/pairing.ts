import { bn254 } from '@noble/curves/bn254.js'
import { encodeHex } from '../../codec/hex.ts'
import type { Clock } from '../clock.ts'

/** A point of G1 in 64 bytes, and one of G2 in 128 (EIP-197). */
export const PAIR_INPUT = 192

const FIELD = 32
/** Some dozens of milliseconds. */
const PAIRS_BETWEEN_LOOKS = 4

const { Fp, Fp2, Fp12 } = bn254.fields

/** A pair of which one is no point of its group. */
export interface InvalidPair {
  readonly place: number
}

/**
 * Whether the product of the pairings of all pairs is one (EIP-197), computed with pauses.
 *
 * @param input - pairs, one after the other
 * @returns the first pair with what is no point, where there is one
 */
export async function checkPairing(
  input: Uint8Array,
  clock: Clock,
): Promise<boolean | InvalidPair> {
  let product = Fp12.ONE
  let pairs: Parameters<typeof bn254.pairingBatch>[0] = []
  for (let place = 0; place < input.length; place += PAIR_INPUT) {
    const pair = readPair(input.subarray(place, place + PAIR_INPUT))
    if (pair === 'invalid') return { place }
    if (pair !== 'neutral') pairs.push(pair)
    if (pairs.length < PAIRS_BETWEEN_LOOKS) continue
    product = Fp12.mul(product, bn254.pairingBatch(pairs, false))
    pairs = []
    await clock.tick()
  }
  if (pairs.length > 0) product = Fp12.mul(product, bn254.pairingBatch(pairs, false))
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)
}

/** A pair with a point at infinity changes no product. */
function readPair(input: Uint8Array) {
  const fields = Array.from({ length: PAIR_INPUT / FIELD }, (_, index) =>
    BigInt(encodeHex(input.subarray(FIELD * index, FIELD * (index + 1)))),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint]
  if (fields.some(field => field >= Fp.ORDER)) return 'invalid'
  const [x, y, ...others] = fields
  try {
    const isNeutral = [x | y, others.reduce((all, field) => all | field)].map(all => all === 0n)
    const g1 = isNeutral[0] ? null : bn254.G1.Point.fromAffine({ x, y })
    const g2 = isNeutral[1] ? null : readTwist(others as [bigint, bigint, bigint, bigint])
    g1?.assertValidity()
    g2?.assertValidity()
    return g1 === null || g2 === null ? 'neutral' : { g1, g2 }
  } catch {
    return 'invalid'
  }
}

/** The imaginary part of each coordinate comes first. */
function readTwist([x1, x0, y1, y0]: [bigint, bigint, bigint, bigint]) {
  return bn254.G2.Point.fromAffine({
    x: Fp2.fromBigTuple([x0, x1]),
    y: Fp2.fromBigTuple([y0, y1]),
  })
}
