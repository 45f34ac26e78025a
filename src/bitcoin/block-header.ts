import { hash256 } from 'bitcoinjs-lib/src/crypto'
import { concatBytes, fromHex, toHex } from './bytes.ts'

/** The 80 bytes of a block header, read; hashes in the usual (reversed) hex. */
export type BlockHeader = {
  hash: string
  previous: string
  merkleRoot: string
  /** The hash as a number is at most this. */
  target: bigint
  /** Milliseconds, as its miner dated it. */
  at: number
}

const HEADER_SIZE = 80

/** The target of difficulty 1, as Bitcoin Core's GetDifficulty counts it. */
const EASIEST_TARGET = 0xffffn << 208n

/** Reads a header. Null for other bytes, and where the hash is above the target that the header states. */
export function parseBlockHeader(raw: Uint8Array): BlockHeader | null {
  if (raw.length !== HEADER_SIZE) return null
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length)
  const target = readTarget(view.getUint32(72, true))
  const hash = toHex(hash256(raw).toReversed())
  if (target === null || BigInt(`0x${hash}`) > target) return null
  return {
    hash,
    previous: toHex(raw.slice(4, 36).toReversed()),
    merkleRoot: toHex(raw.slice(36, 68).toReversed()),
    target,
    at: view.getUint32(68, true) * 1000,
  }
}

/** The compact form of a target (Bitcoin Core's arith_uint256::SetCompact); null for a negative one, for 0 and for more than 256 bits. */
function readTarget(bits: number): bigint | null {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x7f_ffff)
  const target =
    exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
  return (bits & 0x80_0000) !== 0 || target === 0n || target >> 256n > 0n ? null : target
}

/** Whether finding the block took at least this difficulty. */
export function hasDifficulty({ target }: BlockHeader, difficulty: bigint): boolean {
  return target * difficulty <= EASIEST_TARGET
}

/**
 * The merkle root that a transaction at a position and its branch (sibling hashes, lowest first) come to; null for a
 * position that the branch is too short for.
 */
export function rootOfBranch(
  txid: string,
  branch: readonly string[],
  position: number,
): string | null {
  if (!Number.isInteger(position) || position < 0 || position >= 2 ** branch.length) return null
  let hash: Uint8Array = fromHex(txid).toReversed()
  let place = position
  for (const sibling of branch) {
    const other = fromHex(sibling).toReversed()
    hash = hash256(place % 2 === 0 ? concatBytes(hash, other) : concatBytes(other, hash))
    place = Math.floor(place / 2)
  }
  return toHex(hash.toReversed())
}
