import { secp256k1 } from '@noble/curves/secp256k1.js'
import { taggedHash } from 'bitcoinjs-lib/src/crypto'
import { concatBytes, toHex } from '../bytes.ts'
import { verifyCompact, verifyEcdsa, verifySchnorr } from '../secp256k1.ts'

const { Point } = secp256k1
const { Fp, Fn } = Point

type CurvePoint = typeof Point.BASE

/** The signed multiples of a point that stand for each five bits of a scalar. */
type WindowTable = readonly (readonly CurvePoint[])[]

const WINDOW_BITS = 5
const WINDOW_SIZE = 2 ** WINDOW_BITS
/** The last window has one bit of the 256, and the carry of the one before. */
const WINDOWS = Math.ceil(256 / WINDOW_BITS)

/** Both tables take as long as five checks of the library, and a check with them a third of one. */
const CHECKS_WITHOUT_TABLE = 4

/** A table takes some 150 kB. */
const MOST_TABLES = 4

const HALF_ORDER = Fn.ORDER >> 1n

/** Verifies signatures of transactions; for one call, as it keeps tables of the public keys that come often. */
export type SignatureChecks = {
  /** As {@link verifyEcdsa}: strict DER, low S, that sighash byte. */
  ecdsa(hash: Uint8Array, publicKey: Uint8Array, bytes: Uint8Array, sighash: number): boolean
  /** BIP-340, of a 32-byte hash and x-only key; of what cannot be a key or a signature false, or an error. */
  schnorr(hash: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean
}

/**
 * Checks whose verdicts are those of the library, of every signature that is given. A key's first ones are verified by the library,
 * which doubles the key 128 times for each; all further ones by the same equation with multiples of the key that are computed once.
 * A Schnorr signature that was found right is not verified again for the same hash and key, byte for byte, as in Bitcoin Core's
 * signature cache: one that was verified as it was made is only compared when final scripts are made with the same checks.
 * Nothing is secret here, so nothing of it takes constant time.
 */
export function createSignatureChecks(): SignatureChecks {
  const counts = new Map<string, number>()
  const tables = new Map<string, WindowTable>()
  let base: WindowTable | undefined
  const right = new Set<string>()

  /** Null for a key that has not come often, or came after the most that have tables. */
  function tableOf(publicKey: Uint8Array): WindowTable | null {
    const name = toHex(publicKey)
    const known = tables.get(name)
    if (known) return known
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (count <= CHECKS_WITHOUT_TABLE || tables.size === MOST_TABLES) return null
    const isXOnly = publicKey.length === 32
    const bytes = isXOnly ? concatBytes(Uint8Array.of(2), publicKey) : publicKey
    const table = buildTable(Point.fromBytes(bytes))
    tables.set(name, table)
    return table
  }

  /** a times the generator and b times the point of the table. */
  function combine(a: bigint, table: WindowTable, b: bigint): CurvePoint {
    base ??= buildTable(Point.BASE)
    return addMultiple(addMultiple(Point.ZERO, base, a), table, b)
  }

  /** SEC 1, 4.1.4. */
  function verifyCompactByTable(
    hash: Uint8Array,
    publicKey: Uint8Array,
    signature: Uint8Array,
  ): boolean {
    const table = publicKey.length === 32 ? null : tableOf(publicKey)
    if (!table) return verifyCompact(hash, publicKey, signature)
    assertSizes(hash, null, signature)
    const r = toScalar(signature.subarray(0, 32))
    const s = toScalar(signature.subarray(32))
    if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s) || s > HALF_ORDER) return false
    const inverse = Fn.inv(s)
    const u1 = Fn.mul(Fn.create(toScalar(hash)), inverse)
    const point = combine(u1, table, Fn.mul(r, inverse))
    return !point.is0() && Fn.create(point.toAffine().x) === r
  }

  function verifyNew(hash: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean {
    const table = tableOf(publicKey)
    if (!table) return verifySchnorr(hash, publicKey, signature)
    const [rBytes, sBytes] = [signature.subarray(0, 32), signature.subarray(32)]
    const r = toScalar(rBytes)
    const s = toScalar(sBytes)
    if (!Fp.isValidNot0(r) || !Fn.isValidNot0(s)) return false
    const challenge = computeChallenge(rBytes, publicKey, hash)
    const point = combine(s, table, Fn.neg(challenge))
    if (point.is0()) return false
    const { x, y } = point.toAffine()
    return y % 2n === 0n && x === r
  }

  return {
    ecdsa: (hash, publicKey, bytes, sighash) =>
      verifyEcdsa(hash, publicKey, bytes, sighash, verifyCompactByTable),

    schnorr(hash, publicKey, signature) {
      assertSizes(hash, publicKey, signature)
      const name = toHex(concatBytes(hash, publicKey, signature))
      const isRight = right.has(name) || verifyNew(hash, publicKey, signature)
      if (isRight) right.add(name)
      return isRight
    },
  }
}

/** The e of BIP-340. */
export function computeChallenge(r: Uint8Array, publicKey: Uint8Array, hash: Uint8Array): bigint {
  return Fn.create(toScalar(taggedHash('BIP0340/challenge', concatBytes(r, publicKey, hash))))
}

/** The number that bytes write out, the most significant first. */
export function toScalar(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes)}`)
}

function assertSizes(hash: Uint8Array, publicKey: Uint8Array | null, signature: Uint8Array): void {
  const isRight = hash.length === 32 && signature.length === 64
  if (isRight && (publicKey?.length ?? 32) === 32) return
  throw new RangeError('signature: expected 64 bytes, 32 of hash and 32 of x-only key')
}

/** Row i has 1 to 16 times the point, times 32 to the power of i. */
function buildTable(point: CurvePoint): WindowTable {
  const rows: CurvePoint[][] = []
  let first = point
  for (let window = 0; window < WINDOWS; window++) {
    const row = [first]
    let last = first
    while (row.length < WINDOW_SIZE / 2) {
      last = last.add(first)
      row.push(last)
    }
    rows.push(row)
    first = last.double()
  }
  return rows
}

/** Adds a multiple of a table's point, five bits of the scalar an addition: one above 16 is taken as that less 32, and a carry. */
function addMultiple(sum: CurvePoint, table: WindowTable, scalar: bigint): CurvePoint {
  let total = sum
  let rest = scalar
  for (const row of table) {
    let digit = Number(rest & 31n)
    rest >>= 5n
    if (digit > WINDOW_SIZE / 2) {
      digit -= WINDOW_SIZE
      rest += 1n
    }
    const multiple = row[Math.abs(digit) - 1]
    if (multiple) total = total.add(digit < 0 ? multiple.negate() : multiple)
  }
  if (rest !== 0n) throw new RangeError('scalar: more than 256 bits')
  return total
}
