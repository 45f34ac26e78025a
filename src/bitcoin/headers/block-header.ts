import { hash256 } from 'bitcoinjs-lib/src/crypto'
import { toHex } from '../bytes.ts'
import { parseCompactTarget } from './target.ts'

/** The 80 bytes of a block header, read; hashes in the usual (reversed) hex. */
export type BlockHeader = {
  hash: string
  /** Signed, as Bitcoin Core reads it. */
  version: number
  previous: string
  merkleRoot: string
  /** Milliseconds, as its miner dated it; in steps of a second. */
  at: number
  /** The target, as the header states it (Bitcoin Core's nBits). */
  bits: number
  /** The hash as a number is at most this. */
  target: bigint
}

export const HEADER_SIZE = 80

/** The target of difficulty 1, as Bitcoin Core's GetDifficulty counts it. */
const EASIEST_TARGET = 0xffffn << 208n

/** The hash of a block by its header, whatever work went into it. */
export function hashOfHeader(raw: Uint8Array): string {
  return toHex(hash256(raw).toReversed())
}

/** Reads a header. Null for other bytes, and where the hash is above the target that the header states. */
export function parseBlockHeader(raw: Uint8Array): BlockHeader | null {
  if (raw.length !== HEADER_SIZE) return null
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length)
  const bits = view.getUint32(72, true)
  const target = parseCompactTarget(bits)
  const hash = hashOfHeader(raw)
  if (target === null || BigInt(`0x${hash}`) > target) return null
  return {
    hash,
    version: view.getInt32(0, true),
    previous: toHex(raw.slice(4, 36).toReversed()),
    merkleRoot: toHex(raw.slice(36, 68).toReversed()),
    at: view.getUint32(68, true) * 1000,
    bits,
    target,
  }
}

/** Whether finding the block took at least this difficulty. */
export function hasDifficulty({ target }: BlockHeader, difficulty: bigint): boolean {
  return target * difficulty <= EASIEST_TARGET
}
