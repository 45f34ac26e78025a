import { keccak256 } from '../crypto.ts'
import { encodeBranch, encodeExtension, encodeLeaf, splitNibbles } from './trie-node.ts'

/** A key in nibbles with its value. */
interface Entry {
  readonly path: Uint8Array
  readonly value: Uint8Array
}

/** Keccak-256 of the RLP of no bytes. */
const EMPTY_ROOT = keccak256(Uint8Array.of(0x80))
const HASH = 32

/**
 * Root of the trie that holds values under the RLP of their positions, as blocks have for transactions, receipts and withdrawals
 * (yellow paper, appendix D). No such key begins another, so that branches hold no values.
 */
export function computeOrderedRoot(values: readonly Uint8Array[]): Uint8Array {
  if (values.length === 0) return EMPTY_ROOT
  const entries = values.map((value, index) => ({ path: listNibbles(index), value }))
  // In the order of their paths: the RLP of zero is 0x80, and that of larger numbers begins with 0x81 or more.
  const [first, ...others] = entries as [Entry, ...Entry[]]
  const sorted = [...others.slice(0, 0x7f), first, ...others.slice(0x7f)]
  return keccak256(encodeNodes(sorted, 0, sorted.length, 0))
}

/**
 * RLP of the node that holds the entries from `start` to `end`.
 *
 * @param depth - how many nibbles lie behind, the same in all of them
 */
function encodeNodes(
  entries: readonly Entry[],
  start: number,
  end: number,
  depth: number,
): Uint8Array {
  const first = entries[start] as Entry
  if (end - start === 1) return encodeLeaf(first.path, depth, first.value)
  // Entries are sorted: what the first and the last have in common, all have.
  const last = entries[end - 1] as Entry
  let shared = depth
  while (first.path[shared] === last.path[shared]) shared += 1
  if (shared > depth) {
    const child = refer(encodeNodes(entries, start, end, shared))
    return encodeExtension(first.path.slice(depth, shared), child)
  }
  const children: (Uint8Array | null)[] = new Array(16).fill(null)
  for (let from = start; from < end; ) {
    const nibble = (entries[from] as Entry).path[depth] as number
    let to = from + 1
    while (to < end && (entries[to] as Entry).path[depth] === nibble) to += 1
    children[nibble] = refer(encodeNodes(entries, from, to, depth + 1))
    from = to
  }
  return encodeBranch(null, children)
}

/** The node itself where it is shorter than a hash. */
function refer(rlp: Uint8Array): Uint8Array {
  return rlp.length < HASH ? rlp : keccak256(rlp)
}

/** The RLP of an index. */
function listNibbles(index: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = index; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  if (index === 0 || index > 0x7f) bytes.unshift(0x80 + bytes.length)
  return splitNibbles(Uint8Array.from(bytes))
}
