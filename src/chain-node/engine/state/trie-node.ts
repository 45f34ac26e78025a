/** A node of a Merkle Patricia trie (yellow paper, appendix D) whose keys all have the same length, so that branches hold no values. */
export type TrieNode = Leaf | Extension | Branch

export interface Leaf {
  readonly kind: 'leaf'
  /** Nibbles. */
  readonly path: Uint8Array
  readonly value: Uint8Array
}

export interface Extension {
  readonly kind: 'extension'
  /** Nibbles, at least one. */
  readonly path: Uint8Array
  readonly child: TrieChild
}

/** In RLP alone: sixteen objects for its children would take four times as much memory. */
export interface Branch {
  readonly kind: 'branch'
  readonly rlp: Uint8Array
}

/** The hash of a node that is stored by itself, or the node where its RLP is shorter than a hash. */
export type TrieChild = Uint8Array | TrieNode

/** Splits bytes into nibbles, the higher one first. */
export function splitNibbles(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2)
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 15
  }
  return nibbles
}

/** Reads a node from its RLP. Throws where it is not one. */
export function decodeTrieNode(rlp: Uint8Array): TrieNode {
  const list = readItem(rlp, 0)
  if (!list.isList || list.end !== rlp.length) throw new Error('A trie node is not a list')
  const items: RlpItem[] = []
  for (let offset = list.start; offset < list.end; ) {
    const item = readItem(rlp, offset)
    items.push(item)
    offset = item.end
  }
  if (items.length === BRANCH_ITEMS) return { kind: 'branch', rlp }
  const [first, second] = items
  if (items.length !== 2 || first === undefined || first.isList || first.start === first.end) {
    throw new Error(`A trie node has ${items.length} items`)
  }
  const { path, isLeaf } = unpackPath(rlp.subarray(first.start, first.end))
  const child = readChildAt(rlp, first.end)
  if (isLeaf) {
    if (second?.isList) throw new Error('A leaf of a trie has no value')
    return { kind: 'leaf', path, value: child instanceof Uint8Array ? child : NOTHING }
  }
  if (child === null) throw new Error('An extension of a trie leads nowhere')
  return { kind: 'extension', path, child }
}

/** The child of a branch under a nibble. */
export function readChild({ rlp }: Branch, nibble: number): TrieChild | null {
  return readChildAt(rlp, findChild(rlp, nibble))
}

/** All children of a branch. */
export function listChildren(branch: Branch): TrieChild[] {
  const children = Array.from({ length: 16 }, (_, nibble) => readChild(branch, nibble))
  return children.filter(child => child !== null)
}

/** Where the item of a child begins in the RLP of a branch. */
export function findChild(rlp: Uint8Array, nibble: number): number {
  let offset = skipHead(rlp)
  for (let i = 0; i < nibble; i++) offset += measureItem(rlp, offset)
  return offset
}

function readChildAt(rlp: Uint8Array, offset: number): TrieChild | null {
  const { isList, start, end } = readItem(rlp, offset)
  if (isList) return decodeTrieNode(rlp.subarray(offset, end))
  return start === end ? null : rlp.subarray(start, end)
}

/** The node's RLP. */
export function encodeTrieNode(node: TrieNode): Uint8Array {
  if (node.kind === 'branch') return node.rlp
  if (node.kind === 'leaf') return encodePair(packPath(node.path, 0, true), node.value)
  const { path, child } = node
  return encodeExtension(path, child instanceof Uint8Array ? child : encodeTrieNode(child))
}

/** RLP of a leaf whose path is what of a longer one begins at `start`. */
export function encodeLeaf(path: Uint8Array, start: number, value: Uint8Array): Uint8Array {
  return encodePair(packPath(path, start, true), value)
}

/** @param child - a hash, or RLP that is shorter than one */
export function encodeExtension(path: Uint8Array, child: Uint8Array): Uint8Array {
  const packed = packPath(path, 0, false)
  if (child.length === HASH) return encodePair(packed, child)
  return encodeList([encodeBytes(packed), child])
}

/**
 * RLP of a branch.
 *
 * @param base - RLP of the branch that it was; null where it is a new one
 * @param children - hashes, or RLP that is shorter than one; null for nothing, and undefined for what is in the base
 */
export function encodeBranch(
  base: Uint8Array | null,
  children: readonly (Uint8Array | null | undefined)[],
): Uint8Array {
  let length = 1
  let offset = base === null ? 0 : skipHead(base)
  for (let i = 0; i < 16; i++) {
    const size = base === null ? 1 : measureItem(base, offset)
    const child = children[i]
    length += child === undefined ? size : measureChild(child)
    offset += size
  }
  const rlp = new Uint8Array(headLength(length) + length)
  let end = writeHead(rlp, 0, 0xc0, length)
  offset = base === null ? 0 : skipHead(base)
  for (let i = 0; i < 16; i++) {
    const size = base === null ? 1 : measureItem(base, offset)
    const child = children[i]
    if (child === undefined && size > 1) {
      copy(rlp, end, base as Uint8Array, offset, size)
      end += size
    } else if (child === undefined || child === null) {
      rlp[end++] = EMPTY
    } else {
      if (child.length === HASH) rlp[end++] = EMPTY + HASH
      rlp.set(child, end)
      end += child.length
    }
    offset += size
  }
  rlp[end] = EMPTY
  return rlp
}

function measureChild(child: Uint8Array | null): number {
  return child === null ? 1 : child.length === HASH ? HASH + 1 : child.length
}

/** A view for each would cost more than these few bytes. */
function copy(to: Uint8Array, at: number, from: Uint8Array, start: number, length: number): void {
  for (let i = 0; i < length; i++) to[at + i] = from[start + i] as number
}

/** RLP of bytes. */
export function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return bytes
  return prefix(0x80, [bytes])
}

/** RLP of a list of items that are RLP already. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  return prefix(0xc0, items)
}

/** An item in RLP: where its content begins and ends. */
export interface RlpItem {
  readonly isList: boolean
  readonly start: number
  readonly end: number
}

/** Reads the head of the item at `offset`. Throws where the item is longer than the bytes. */
export function readItem(rlp: Uint8Array, offset: number): RlpItem {
  const head = rlp[offset]
  if (head === undefined) throw new Error('RLP ends early')
  if (head < 0x80) return { isList: false, start: offset, end: offset + 1 }
  const isList = head >= 0xc0
  const short = head - (isList ? 0xc0 : 0x80)
  let start = offset + 1
  let length = short
  if (short > 55) {
    start += short - 55
    length = 0
    for (let i = offset + 1; i < start; i++) length = length * 256 + (rlp[i] ?? 0)
  }
  if (start + length > rlp.length) throw new Error('RLP ends early')
  return { isList, start, end: start + length }
}

/** RLP of no bytes. */
const EMPTY = 0x80
const HASH = 32
const BRANCH_ITEMS = 17
const NOTHING = new Uint8Array(0)

/** Bytes before the content of a list. */
function skipHead(rlp: Uint8Array): number {
  const head = rlp[0] as number
  return head > 0xf7 ? head - 0xf6 : 1
}

/** Bytes of a child in a branch that was read whole before: none is longer than a hash. */
function measureItem(rlp: Uint8Array, offset: number): number {
  const head = rlp[offset] as number
  if (head < EMPTY) return 1
  return 1 + head - (head < 0xc0 ? EMPTY : 0xc0)
}

function unpackPath(packed: Uint8Array): { path: Uint8Array; isLeaf: boolean } {
  const nibbles = splitNibbles(packed)
  const flags = nibbles[0] as number
  return { path: nibbles.subarray(flags & 1 ? 1 : 2), isLeaf: (flags & 2) !== 0 }
}

/** Hex-prefix encoding of the nibbles from `start` on. */
function packPath(path: Uint8Array, start: number, isLeaf: boolean): Uint8Array {
  const odd = (path.length - start) & 1
  const packed = new Uint8Array(((path.length - start) >> 1) + 1)
  packed[0] = ((isLeaf ? 2 : 0) + odd) << 4
  if (odd) packed[0] += path[start] as number
  for (let i = start + odd, at = 1; i < path.length; i += 2, at++) {
    packed[at] = ((path[i] as number) << 4) | (path[i + 1] as number)
  }
  return packed
}

/** RLP of a list of two byte strings. */
function encodePair(first: Uint8Array, second: Uint8Array): Uint8Array {
  const length = measureBytes(first) + measureBytes(second)
  const rlp = new Uint8Array(headLength(length) + length)
  writeBytes(rlp, writeBytes(rlp, writeHead(rlp, 0, 0xc0, length), first), second)
  return rlp
}

/** Bytes of a byte string in RLP. */
export function measureBytes(bytes: Uint8Array): number {
  if (bytes.length === 1 && (bytes[0] as number) < EMPTY) return 1
  return headLength(bytes.length) + bytes.length
}

/** Writes a byte string in RLP, and gives where it ends. */
export function writeBytes(rlp: Uint8Array, offset: number, bytes: Uint8Array): number {
  const isByte = bytes.length === 1 && (bytes[0] as number) < EMPTY
  const start = isByte ? offset : writeHead(rlp, offset, EMPTY, bytes.length)
  rlp.set(bytes, start)
  return start + bytes.length
}

/** Bytes of the head of so much content. */
export function headLength(length: number): number {
  if (length > 0xffffff) throw new Error('RLP of a trie node is too long')
  return length <= 55 ? 1 : length <= 0xff ? 2 : length <= 0xffff ? 3 : 4
}

/**
 * Writes the head of a byte string or a list, and gives where it ends.
 *
 * @param base - 0x80 for a byte string, 0xc0 for a list
 */
export function writeHead(rlp: Uint8Array, offset: number, base: number, length: number): number {
  if (length <= 55) {
    rlp[offset] = base + length
    return offset + 1
  }
  const size = headLength(length) - 1
  rlp[offset] = base + 55 + size
  for (let i = 0; i < size; i++) {
    rlp[offset + 1 + i] = (length >> (8 * (size - 1 - i))) & 0xff
  }
  return offset + 1 + size
}

function prefix(base: number, items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  const rlp = new Uint8Array(headLength(length) + length)
  let offset = writeHead(rlp, 0, base, length)
  for (const item of items) {
    rlp.set(item, offset)
    offset += item.length
  }
  return rlp
}
