import type { StateWrite } from '../block.ts'
import {
  type Branch,
  decodeTrieNode,
  encodeBranch,
  encodeExtension,
  encodeLeaf,
  encodeTrieNode,
  readChild,
  type TrieNode,
} from './trie-node.ts'

/** What is to be under a key: bytes, or nothing. */
export interface TrieChange {
  /** Nibbles; all keys of a trie have the same length. */
  readonly path: Uint8Array
  readonly value: Uint8Array | null
}

/** Where an update finds nodes by their hash, and leaves those that it makes. */
export interface TrieNodes {
  node(hash: Uint8Array): TrieNode
  keep(hash: Uint8Array, node: TrieNode): void
  keccak256(bytes: Uint8Array): Uint8Array
}

/**
 * Puts values under keys and takes keys away, and gives the new root; null is the root of a trie without keys. Nodes that come
 * anew are added to `writes`.
 */
export function updateTrie(
  nodes: TrieNodes,
  root: Uint8Array | null,
  changes: readonly TrieChange[],
  writes: StateWrite[],
): Uint8Array | null {
  let top: Draft | null = root
  for (const change of changes) {
    top =
      change.value === null
        ? remove(nodes, top, change.path, 0)
        : insert(nodes, top, change.path, 0, change.value)
  }
  if (top === null || top instanceof Uint8Array) return top
  const sealed = seal(nodes, top, writes)
  // The root is stored under its hash however short it is.
  return sealed.length === HASH ? sealed : put(nodes, decodeTrieNode(sealed), sealed, writes)
}

const HASH = 32

/** Nodes of this update, which it may change; stored ones are copied before they are changed. */
type Draft = Uint8Array | TrieNode | DraftLeaf | DraftExtension | DraftBranch

interface DraftLeaf {
  readonly kind: 'draftLeaf'
  readonly path: Uint8Array
  readonly value: Uint8Array
}

interface DraftExtension {
  readonly kind: 'draftExtension'
  readonly path: Uint8Array
  child: Draft
}

interface DraftBranch {
  readonly kind: 'draftBranch'
  /** What it was; null for a new one. */
  readonly base: Branch | null
  /** Sixteen; undefined for what is as it was. */
  readonly children: (Draft | null | undefined)[]
}

type OpenDraft = DraftLeaf | DraftExtension | DraftBranch

function open(nodes: TrieNodes, draft: Draft): OpenDraft {
  const node = draft instanceof Uint8Array ? nodes.node(draft) : draft
  switch (node.kind) {
    case 'leaf':
      return { kind: 'draftLeaf', path: node.path, value: node.value }
    case 'extension':
      return { kind: 'draftExtension', path: node.path, child: node.child }
    case 'branch':
      return { kind: 'draftBranch', base: node, children: new Array(16).fill(undefined) }
    default:
      return node
  }
}

function childOf({ base, children }: DraftBranch, nibble: number): Draft | null {
  const child = children[nibble]
  if (child !== undefined) return child
  return base === null ? null : readChild(base, nibble)
}

/** @param depth - how many nibbles of the path lead to `at` */
function insert(
  nodes: TrieNodes,
  at: Draft | null,
  path: Uint8Array,
  depth: number,
  value: Uint8Array,
): Draft {
  if (at === null) return { kind: 'draftLeaf', path: path.slice(depth), value }
  const draft = open(nodes, at)
  if (draft.kind === 'draftBranch') {
    const nibble = path[depth] as number
    draft.children[nibble] = insert(nodes, childOf(draft, nibble), path, depth + 1, value)
    return draft
  }
  const shared = countShared(draft.path, path, depth)
  if (shared === draft.path.length) {
    if (draft.kind === 'draftLeaf') return { kind: 'draftLeaf', path: draft.path, value }
    draft.child = insert(nodes, draft.child, path, depth + shared, value)
    return draft
  }
  const children: (Draft | null)[] = new Array(16).fill(null)
  const rest = draft.path.slice(shared + 1)
  children[draft.path[shared] as number] =
    draft.kind === 'draftLeaf'
      ? { kind: 'draftLeaf', path: rest, value: draft.value }
      : extend(rest, draft.child)
  const fork = depth + shared
  children[path[fork] as number] = { kind: 'draftLeaf', path: path.slice(fork + 1), value }
  return extend(path.slice(depth, fork), { kind: 'draftBranch', base: null, children })
}

/** @param depth - how many nibbles of the path lead to `at` */
function remove(nodes: TrieNodes, at: Draft | null, path: Uint8Array, depth: number): Draft | null {
  if (at === null) return null
  const node = at instanceof Uint8Array ? nodes.node(at) : at
  switch (node.kind) {
    case 'leaf':
    case 'draftLeaf':
      return depth + countShared(node.path, path, depth) === path.length ? null : at
    case 'extension':
    case 'draftExtension': {
      const length = node.path.length
      if (countShared(node.path, path, depth) !== length) return at
      const child = remove(nodes, node.child, path, depth + length)
      if (child === node.child) return at
      return child === null ? null : join(nodes, node.path, child)
    }
    case 'branch':
    case 'draftBranch': {
      const nibble = path[depth] as number
      const before = node.kind === 'branch' ? readChild(node, nibble) : childOf(node, nibble)
      const after = remove(nodes, before, path, depth + 1)
      if (after === before) return at
      const draft = open(nodes, node) as DraftBranch
      draft.children[nibble] = after
      if (after !== null) return draft
      return collapse(nodes, draft)
    }
  }
}

/** A branch of one child is no branch: the child takes the nibble into its path. */
function collapse(nodes: TrieNodes, branch: DraftBranch): Draft {
  let only = -1
  for (let i = 0; i < 16; i++) {
    if (childOf(branch, i) === null) continue
    if (only >= 0) return branch
    only = i
  }
  return join(nodes, Uint8Array.of(only), childOf(branch, only) as Draft)
}

/** Puts a path before a node, and makes one path of two. */
function join(nodes: TrieNodes, path: Uint8Array, child: Draft): Draft {
  const draft = open(nodes, child)
  switch (draft.kind) {
    case 'draftLeaf':
      return { kind: 'draftLeaf', path: concat(path, draft.path), value: draft.value }
    case 'draftExtension':
      return { kind: 'draftExtension', path: concat(path, draft.path), child: draft.child }
    case 'draftBranch':
      return { kind: 'draftExtension', path, child }
  }
}

function extend(path: Uint8Array, child: Draft): Draft {
  return path.length === 0 ? child : { kind: 'draftExtension', path, child }
}

/** Makes nodes of drafts from the leaves on. Gives the hash of one, or its RLP where that is shorter. */
function seal(nodes: TrieNodes, draft: Draft, writes: StateWrite[]): Uint8Array {
  if (draft instanceof Uint8Array) return draft
  switch (draft.kind) {
    case 'draftLeaf': {
      const { path, value } = draft
      return settle(nodes, { kind: 'leaf', path, value }, encodeLeaf(path, 0, value), writes)
    }
    case 'draftExtension': {
      const { path } = draft
      const child = seal(nodes, draft.child, writes)
      const rlp = encodeExtension(path, child)
      const node = child.length === HASH ? child : decodeTrieNode(child)
      return settle(nodes, { kind: 'extension', path, child: node }, rlp, writes)
    }
    case 'draftBranch': {
      const children = draft.children.map(child => child && seal(nodes, child, writes))
      const rlp = encodeBranch(draft.base?.rlp ?? null, children)
      return settle(nodes, { kind: 'branch', rlp }, rlp, writes)
    }
    default:
      return encodeTrieNode(draft)
  }
}

function settle(
  nodes: TrieNodes,
  node: TrieNode,
  rlp: Uint8Array,
  writes: StateWrite[],
): Uint8Array {
  return rlp.length < HASH ? rlp : put(nodes, node, rlp, writes)
}

function put(nodes: TrieNodes, node: TrieNode, rlp: Uint8Array, writes: StateWrite[]): Uint8Array {
  const hash = nodes.keccak256(rlp)
  nodes.keep(hash, node)
  writes.push({ hash, bytes: rlp })
  return hash
}

/** How many nibbles of a path are those of another from `depth` on. */
function countShared(a: Uint8Array, b: Uint8Array, depth: number): number {
  const length = Math.min(a.length, b.length - depth)
  let count = 0
  while (count < length && a[count] === b[depth + count]) count++
  return count
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}
