import { fromBase64, toHex } from '../bytes.ts'
import type { Network } from '../network.ts'
import type { HeaderChain } from './header-chain.ts'
import LAST from './last-anchors.json' with { type: 'json' }
import { parseCompactTarget, workOfTarget } from './target.ts'

/** Ends of difficulty periods as `anchors.json` holds them: base64 of 32 bytes each as nodes store a hash, and of 4 of `bits` each (big endian). */
export type AnchorTable = { hashes: string; nextBits: string | null }

/** Of {@link AnchorTable} the last hash, and how many periods there are. */
export type LastAnchorTable = { periods: number; hash: string; nextBits: string | null }

/** The last block of a difficulty period, which a release of the wallet knows. */
export type Anchor = {
  height: number
  /** Null where only the target is at hand. */
  hash: string | null
  /** Target of the 2016 blocks after it; null where the table does not tell. */
  nextTarget: bigint | null
}

const PERIOD = 2016
const HASH_SIZE = 32

/** The anchors of a table, from block 2015 on, one for each period. Throws for bytes that are not whole entries. */
export function readAnchors(table: AnchorTable): Anchor[] {
  const hashes = fromBase64(table.hashes)
  const count = hashes.length / HASH_SIZE
  if (!Number.isInteger(count) || count === 0)
    throw new Error('anchors.hashes: expected 32 bytes for each period')
  return listAnchors(count, table.nextBits, index =>
    toHex(hashes.slice(index * HASH_SIZE, (index + 1) * HASH_SIZE).toReversed()),
  )
}

const read = new Map<Network, readonly Anchor[]>()

/** The anchors of a network as the worker has them, of which only the last has its hash; none for a network without. */
export function lastAnchors(network: Network): readonly Anchor[] {
  if (network === 'regtest') return []
  const known = read.get(network)
  if (known) return known
  const { periods, hash, nextBits } = LAST[network]
  const anchors = listAnchors(periods, nextBits, index => (index === periods - 1 ? hash : null))
  read.set(network, anchors)
  return anchors
}

function listAnchors(
  count: number,
  nextBits: string | null,
  hashAt: (index: number) => string | null,
): Anchor[] {
  const bits = nextBits === null ? null : fromBase64(nextBits)
  if (bits && bits.length !== 4 * count)
    throw new Error('anchors.nextBits: expected 4 bytes for each period')
  return Array.from({ length: count }, (_, index) => ({
    height: (index + 1) * PERIOD - 1,
    hash: hashAt(index),
    nextTarget: bits && readTarget(bits.subarray(4 * index, 4 * index + 4)),
  }))
}

/** The target that headers at a height have, as the anchor before them tells; null before the first, and where it does not tell. */
export function anchoredTarget(anchors: readonly Anchor[], height: number): bigint | null {
  return anchors[Math.floor(height / PERIOD) - 1]?.nextTarget ?? null
}

/** Whether the headers of a chain at the heights of anchors are these blocks; true as well for a chain between two anchors. */
export function agreesWithAnchors(
  { height, headers }: HeaderChain,
  anchors: readonly Anchor[],
): boolean {
  return anchors.every(anchor => {
    const header = headers[anchor.height - height]
    return header === undefined || anchor.hash === null || header.hash === anchor.hash
  })
}

/**
 * Whether no header of a chain is easier than a part of what the last anchor asks of the blocks after it. A chain that does
 * not begin at an anchor could otherwise begin at a difficulty that anybody can afford. False where no anchor tells a target.
 */
export function hasAnchoredDifficulty(
  { headers }: HeaderChain,
  anchors: readonly Anchor[],
  part: bigint,
): boolean {
  const target = anchors.at(-1)?.nextTarget ?? null
  return target !== null && headers.every(header => header.target <= target * part)
}

/**
 * How much work stands behind the block at a height, its own included, in blocks of a target; in hundredths, rounded down.
 * Null for a block outside of the chain.
 */
export function blocksOfWork(chain: HeaderChain, height: number, target: bigint): number | null {
  const index = height - chain.height
  if (index < 0 || index >= chain.headers.length) return null
  const work = chain.headers
    .slice(index)
    .reduce((sum, header) => sum + workOfTarget(header.target), 0n)
  return Number((work * 100n) / workOfTarget(target)) / 100
}

function readTarget(bytes: Uint8Array): bigint {
  const target = parseCompactTarget(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0))
  if (target === null) throw new Error('anchors.nextBits: expected compact targets')
  return target
}
