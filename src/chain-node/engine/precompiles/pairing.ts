import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { encodeHex } from '../../codec/hex.ts'
import type { Clock } from '../clock.ts'

/** A curve of pairings, and how its points are written. */
export interface PairingCurve {
  readonly curve: Pick<typeof bn254, 'fields' | 'G1' | 'G2' | 'pairingBatch'>
  /** Bytes of a number of the field. */
  readonly field: number
  /** Which of the two parts of a coordinate of G2 comes first. */
  readonly firstPart: 'imaginary' | 'real'
}

/** A point of G1 in 64 bytes, and one of G2 in 128 (EIP-197). */
export const BN254: PairingCurve = { curve: bn254, field: 32, firstPart: 'imaginary' }
/** A point of G1 in 128 bytes, and one of G2 in 256 (EIP-2537). */
export const BLS12_381: PairingCurve = { curve: bls12_381, field: 64, firstPart: 'real' }

const FIELDS_OF_PAIR = 6
/** Some dozens of milliseconds. */
const PAIRS_BETWEEN_LOOKS = 4

/** A pair of which one is no point of its group. */
export interface InvalidPair {
  readonly place: number
}

/** Bytes of a pair. */
export function pairLength({ field }: PairingCurve): number {
  return FIELDS_OF_PAIR * field
}

/**
 * Whether the product of the pairings of all pairs is one, computed with pauses.
 *
 * @param input - pairs, one after the other
 * @returns the first pair with what is no point, where there is one
 */
export async function checkPairing(
  pairing: PairingCurve,
  input: Uint8Array,
  clock: Clock,
): Promise<boolean | InvalidPair> {
  const { curve } = pairing
  const { Fp12 } = curve.fields
  const length = pairLength(pairing)
  let product = Fp12.ONE
  let pairs: Parameters<typeof curve.pairingBatch>[0] = []
  for (let place = 0; place < input.length; place += length) {
    const pair = readPair(pairing, input.subarray(place, place + length))
    if (pair === 'invalid') return { place }
    if (pair !== 'neutral') pairs.push(pair)
    if (pairs.length < PAIRS_BETWEEN_LOOKS) continue
    product = Fp12.mul(product, curve.pairingBatch(pairs, false))
    pairs = []
    await clock.tick()
  }
  if (pairs.length > 0) product = Fp12.mul(product, curve.pairingBatch(pairs, false))
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)
}

/** A pair with a point at infinity changes no product. */
function readPair({ curve, field, firstPart }: PairingCurve, input: Uint8Array) {
  const { Fp, Fp2 } = curve.fields
  const numbers = Array.from({ length: FIELDS_OF_PAIR }, (_, index) =>
    BigInt(encodeHex(input.subarray(field * index, field * (index + 1)))),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint]
  if (numbers.some(number => number >= Fp.ORDER)) return 'invalid'
  const [x, y, ...parts] = numbers
  const [x0, x1, y0, y1] = parts
  const readPart = (first: bigint, second: bigint) =>
    Fp2.fromBigTuple(firstPart === 'real' ? [first, second] : [second, first])
  try {
    const isNeutral = [x | y, x0 | x1 | y0 | y1].map(all => all === 0n)
    const g1 = isNeutral[0] ? null : curve.G1.Point.fromAffine({ x, y })
    const g2 = isNeutral[1]
      ? null
      : curve.G2.Point.fromAffine({ x: readPart(x0, x1), y: readPart(y0, y1) })
    g1?.assertValidity()
    g2?.assertValidity()
    return g1 === null || g2 === null ? 'neutral' : { g1, g2 }
  } catch {
    return 'invalid'
  }
}
