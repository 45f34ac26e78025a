import * as shipped from '@bitcoinerlab/secp256k1'
import fc from 'fast-check'
import * as libsecp256k1 from 'tiny-secp256k1'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex } from './bytes.ts'

/** What both have. */
type Curve = Pick<
  typeof libsecp256k1,
  | 'isPoint'
  | 'isPointCompressed'
  | 'isPrivate'
  | 'isXOnlyPoint'
  | 'pointAdd'
  | 'pointAddScalar'
  | 'pointCompress'
  | 'pointFromScalar'
  | 'pointMultiply'
  | 'privateAdd'
  | 'privateNegate'
  | 'privateSub'
  | 'recover'
  | 'sign'
  | 'signRecoverable'
  | 'signSchnorr'
  | 'verify'
  | 'verifySchnorr'
  | 'xOnlyPointAddTweak'
  | 'xOnlyPointFromPoint'
  | 'xOnlyPointFromScalar'
>

/** SEC 2: the order of the generator, and the prime of the field. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const PRIME = 2n ** 256n - 2n ** 32n - 977n

const edges = [0n, 1n, 2n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, ORDER + 1n, PRIME - 1n]
  .concat(PRIME, 2n ** 256n - 1n)
  .map(value => fromHex(value.toString(16).padStart(64, '0')))

const anyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const scalars = fc.oneof({ weight: 4, arbitrary: anyBytes }, fc.constantFrom(...edges))
const keys = scalars.filter(scalar => libsecp256k1.isPrivate(scalar))
const prefixes = fc.constantFrom(2, 3, 2, 3, 0, 4, 6)
/** Most are points; a coordinate of random bytes is one half of the time. */
const points = fc.oneof(
  { weight: 4, arbitrary: keys.map(key => libsecp256k1.pointFromScalar(key, true) as Uint8Array) },
  keys.map(key => libsecp256k1.pointFromScalar(key, false) as Uint8Array),
  fc.tuple(prefixes, scalars).map(([prefix, x]) => concatBytes(Uint8Array.of(prefix), x)),
  fc.tuple(prefixes, scalars, scalars).map(([prefix, x, y]) => join(prefix, x, y)),
)
const xOnlyPoints = fc.oneof(
  points.map(point => point.slice(1, 33)),
  scalars,
)
const isCompressed = fc.boolean()
const signatures = fc.tuple(scalars, scalars).map(([r, s]) => concatBytes(r, s))
const recoveryIds = fc.constantFrom(0, 1, 2, 3)
const entropies = fc.option(anyBytes, { nil: undefined })

const ARGUMENTS: { [Name in keyof Curve]: fc.Arbitrary<Parameters<Curve[Name]>> } = {
  isPoint: fc.tuple(points),
  isPointCompressed: fc.tuple(points),
  isPrivate: fc.tuple(scalars),
  isXOnlyPoint: fc.tuple(xOnlyPoints),
  pointAdd: fc.tuple(points, points, isCompressed),
  pointAddScalar: fc.tuple(points, scalars, isCompressed),
  pointCompress: fc.tuple(points, isCompressed),
  pointFromScalar: fc.tuple(scalars, isCompressed),
  pointMultiply: fc.tuple(points, scalars, isCompressed),
  privateAdd: fc.tuple(scalars, scalars),
  privateNegate: fc.tuple(scalars),
  privateSub: fc.tuple(scalars, scalars),
  recover: fc.tuple(anyBytes, signatures, recoveryIds, isCompressed),
  sign: fc.tuple(scalars, scalars, entropies),
  signRecoverable: fc.tuple(scalars, scalars, entropies),
  signSchnorr: fc.tuple(scalars, scalars, anyBytes),
  verify: fc.tuple(scalars, points, signatures, fc.boolean()),
  verifySchnorr: fc.tuple(scalars, xOnlyPoints, signatures),
  xOnlyPointAddTweak: fc.tuple(xOnlyPoints, scalars),
  xOnlyPointFromPoint: fc.tuple(points),
  xOnlyPointFromScalar: fc.tuple(scalars),
}

/**
 * Other rooms are tested with libsecp256k1, in WebAssembly, in place of the library that is shipped. Its answers are those of
 * Bitcoin Core's own library: here each function gives the same for the same, and nothing or an error where the other does.
 */
describe('the shipped curve and libsecp256k1', () => {
  it.each(namesOf(ARGUMENTS))('answer alike: %s', name => {
    const call = (curve: Curve, given: unknown[]) =>
      outcomeOf(() => (curve[name] as (...args: unknown[]) => unknown)(...given))
    fc.assert(
      fc.property(ARGUMENTS[name] as fc.Arbitrary<unknown[]>, given => {
        expect(call(shipped, given)).toEqual(call(libsecp256k1, given))
      }),
      { numRuns: 200 },
    )
  })

  it('verify what the other has signed, and nothing else', () => {
    fc.assert(
      fc.property(anyBytes, keys, fc.nat(63), fc.integer({ min: 1, max: 255 }), (...given) => {
        const [hash, key, at, change] = given
        const publicKey = libsecp256k1.pointFromScalar(key, true) as Uint8Array
        const xOnly = publicKey.slice(1)
        const ecdsa = libsecp256k1.sign(hash, key)
        const schnorr = libsecp256k1.signSchnorr(hash, key, hash)
        expect(shipped.verify(hash, publicKey, ecdsa, true)).toBe(true)
        expect(shipped.verifySchnorr(hash, xOnly, schnorr)).toBe(true)
        for (const signature of [ecdsa, schnorr]) signature[at] = (signature[at] ?? 0) ^ change
        const verdicts = (curve: Curve) => [
          outcomeOf(() => curve.verify(hash, publicKey, ecdsa, true)),
          outcomeOf(() => curve.verifySchnorr(hash, xOnly, schnorr)),
        ]
        expect(verdicts(shipped)).toEqual(verdicts(libsecp256k1))
        expect(verdicts(shipped)).not.toContain(true)
      }),
      { numRuns: 100 },
    )
  })
})

function join(prefix: number, x: Uint8Array, y: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(prefix), x, y)
}

function namesOf<Name extends string>(table: { [name in Name]: unknown }): Name[] {
  return Object.keys(table) as Name[]
}

function outcomeOf(call: () => unknown): unknown {
  try {
    return call()
  } catch {
    return null
  }
}
