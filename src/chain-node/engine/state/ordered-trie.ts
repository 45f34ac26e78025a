import { keccak256 } from '../crypto.ts'
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts'

/** A key in nibbles with its value. */
interface Entry {
  readonly path: Uint8Array
  readonly value: Uint8Array
}

/** Keccak-256 of the RLP of no bytes. */
const EMPTY_ROOT = keccak256(Uint8Array.of(0x80))

/**
 * Root of the trie that holds values under the RLP of their positions, as blocks have for transactions, receipts and withdrawals
 * (yellow paper, appendix D). No such key begins another, so that branches hold no values.
 */
export function computeOrderedRoot(values: readonly Uint8Array[]): Uint8Array {
  if (values.length === 0) return EMPTY_ROOT
  const entries = values.map((value, index) => ({ path: listNibbles(BigInt(index)), value }))
  entries.sort((a, b) => Buffer.compare(a.path, b.path))
  return keccak256(encodeRlp(buildNode(entries, 0)))
}

/** @param depth - how many nibbles lie behind, the same in all entries */
function buildNode(entries: readonly Entry[], depth: number): RlpValue {
  const first = entries[0] as Entry
  if (entries.length === 1) return [packPath(first.path, depth, first.path.length, 2), first.value]
  // Entries are sorted: what the first and the last have in common, all have.
  const last = entries[entries.length - 1] as Entry
  let end = depth
  while (first.path[end] === last.path[end]) end += 1
  if (end > depth) return [packPath(first.path, depth, end, 0), refer(buildNode(entries, end))]
  const children: RlpValue[] = []
  for (let nibble = 0, start = 0; nibble < 16; nibble++) {
    let stop = start
    while (entries[stop]?.path[depth] === nibble) stop += 1
    children.push(
      stop === start ? new Uint8Array() : refer(buildNode(entries.slice(start, stop), depth + 1)),
    )
    start = stop
  }
  return [...children, new Uint8Array()]
}

/** The node itself where it is shorter than a hash. */
function refer(node: RlpValue): RlpValue {
  const encoded = encodeRlp(node)
  return encoded.length < 32 ? node : keccak256(encoded)
}

/**
 * Hex-prefix encoding of the nibbles from `start` to `end`.
 *
 * @param flag - 2 for a leaf, 0 for an extension
 */
function packPath(path: Uint8Array, start: number, end: number, flag: number): Uint8Array {
  const isOdd = (end - start) % 2
  const nibbles = [flag + isOdd, ...(isOdd ? [] : [0]), ...path.subarray(start, end)]
  const packed = new Uint8Array(nibbles.length / 2)
  for (let i = 0; i < packed.length; i++) {
    packed[i] = (nibbles[2 * i] as number) * 16 + (nibbles[2 * i + 1] as number)
  }
  return packed
}

function listNibbles(index: bigint): Uint8Array {
  const key = encodeRlp(index)
  const nibbles = new Uint8Array(key.length * 2)
  key.forEach((byte, i) => {
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 15
  })
  return nibbles
}
