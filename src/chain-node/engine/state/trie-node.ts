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

export interface Branch {
  readonly kind: 'branch'
  /** Sixteen. */
  readonly children: readonly (TrieChild | null)[]
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
  return decodeList(rlp, list.start, list.end)
}

/** The node's RLP. */
export function encodeTrieNode(node: TrieNode): Uint8Array {
  if (node.kind === 'branch') {
    const items = node.children.map(child => (child === null ? EMPTY_ITEM : encodeChild(child)))
    items.push(EMPTY_ITEM)
    return encodeList(items)
  }
  return node.kind === 'leaf'
    ? encodeList([encodeBytes(packPath(node.path, true)), encodeBytes(node.value)])
    : encodeList([encodeBytes(packPath(node.path, false)), encodeChild(node.child)])
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

const EMPTY_ITEM = Uint8Array.of(0x80)

function decodeList(rlp: Uint8Array, start: number, end: number): TrieNode {
  const children: (TrieChild | null)[] = []
  let first: Uint8Array | null = null
  let offset = start
  let count = 0
  while (offset < end) {
    const item = readItem(rlp, offset)
    if (item.isList) {
      children.push(decodeList(rlp, item.start, item.end))
    } else {
      const bytes = rlp.subarray(item.start, item.end)
      if (count === 0) first = bytes
      children.push(bytes.length === 0 ? null : bytes)
    }
    offset = item.end
    count++
  }
  if (count === 17) {
    children.pop()
    return { kind: 'branch', children }
  }
  if (count !== 2 || first === null || first.length === 0) {
    throw new Error(`A trie node has ${count} items`)
  }
  const { path, isLeaf } = unpackPath(first)
  const second = children[1] ?? null
  if (isLeaf) {
    if (!(second instanceof Uint8Array)) throw new Error('A leaf of a trie has no value')
    return { kind: 'leaf', path, value: second }
  }
  if (second === null) throw new Error('An extension of a trie leads nowhere')
  return { kind: 'extension', path, child: second }
}

function unpackPath(packed: Uint8Array): { path: Uint8Array; isLeaf: boolean } {
  const nibbles = splitNibbles(packed)
  const flags = nibbles[0] as number
  return { path: nibbles.subarray(flags & 1 ? 1 : 2), isLeaf: (flags & 2) !== 0 }
}

function packPath(path: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = path.length & 1
  const packed = new Uint8Array((path.length >> 1) + 1)
  packed[0] = ((isLeaf ? 2 : 0) + odd) << 4
  if (odd) packed[0] += path[0] as number
  for (let i = odd, at = 1; i < path.length; i += 2, at++) {
    packed[at] = ((path[i] as number) << 4) | (path[i + 1] as number)
  }
  return packed
}

function encodeChild(child: TrieChild): Uint8Array {
  return child instanceof Uint8Array ? encodeBytes(child) : encodeTrieNode(child)
}

function prefix(base: number, items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  const lengthBytes = length > 55 ? (length > 0xffff ? 3 : length > 0xff ? 2 : 1) : 0
  if (length > 0xffffff) throw new Error('RLP of a trie node is too long')
  const encoded = new Uint8Array(1 + lengthBytes + length)
  if (lengthBytes === 0) {
    encoded[0] = base + length
  } else {
    encoded[0] = base + 55 + lengthBytes
    for (let i = 0; i < lengthBytes; i++) {
      encoded[1 + i] = (length >> (8 * (lengthBytes - 1 - i))) & 0xff
    }
  }
  let offset = 1 + lengthBytes
  for (const item of items) {
    encoded.set(item, offset)
    offset += item.length
  }
  return encoded
}
