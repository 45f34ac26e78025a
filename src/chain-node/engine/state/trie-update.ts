import type { StateWrite } from '../block.ts'
import { encodeTrieNode, type TrieChild, type TrieNode } from './trie-node.ts'

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
        ? remove(nodes, top, change.path)
        : insert(nodes, top, change.path, change.value)
  }
  if (top === null || top instanceof Uint8Array) return top
  const sealed = seal(nodes, top, writes)
  return sealed instanceof Uint8Array ? sealed : store(nodes, sealed, writes)
}

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
  readonly children: (Draft | null)[]
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
      return { kind: 'draftBranch', children: node.children.slice() }
    default:
      return node
  }
}

function insert(nodes: TrieNodes, at: Draft | null, path: Uint8Array, value: Uint8Array): Draft {
  if (at === null) return { kind: 'draftLeaf', path, value }
  const draft = open(nodes, at)
  if (draft.kind === 'draftBranch') {
    const nibble = path[0] as number
    draft.children[nibble] = insert(nodes, draft.children[nibble] ?? null, path.subarray(1), value)
    return draft
  }
  const shared = countShared(draft.path, path)
  if (shared === draft.path.length) {
    if (draft.kind === 'draftLeaf') return { kind: 'draftLeaf', path, value }
    draft.child = insert(nodes, draft.child, path.subarray(shared), value)
    return draft
  }
  const children: (Draft | null)[] = new Array(16).fill(null)
  const rest = draft.path.subarray(shared + 1)
  children[draft.path[shared] as number] =
    draft.kind === 'draftLeaf'
      ? { kind: 'draftLeaf', path: rest, value: draft.value }
      : extend(rest, draft.child)
  children[path[shared] as number] = { kind: 'draftLeaf', path: path.subarray(shared + 1), value }
  return extend(path.subarray(0, shared), { kind: 'draftBranch', children })
}

function remove(nodes: TrieNodes, at: Draft | null, path: Uint8Array): Draft | null {
  if (at === null) return null
  const node = at instanceof Uint8Array ? nodes.node(at) : at
  switch (node.kind) {
    case 'leaf':
    case 'draftLeaf':
      return countShared(node.path, path) === path.length ? null : at
    case 'extension':
    case 'draftExtension': {
      const length = node.path.length
      if (countShared(node.path, path) !== length) return at
      const child = remove(nodes, node.child, path.subarray(length))
      if (child === node.child) return at
      return child === null ? null : join(nodes, node.path, child)
    }
    case 'branch':
    case 'draftBranch': {
      const nibble = path[0] as number
      const before = node.children[nibble] ?? null
      const after = remove(nodes, before, path.subarray(1))
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
    if (branch.children[i] === null) continue
    if (only >= 0) return branch
    only = i
  }
  return join(nodes, Uint8Array.of(only), branch.children[only] as Draft)
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

/** Makes nodes of drafts from the leaves on, and hashes what is long enough for it. */
function seal(nodes: TrieNodes, draft: Draft, writes: StateWrite[]): TrieChild {
  if (draft instanceof Uint8Array) return draft
  const node = sealNode(nodes, draft, writes)
  if (node === draft) return node
  const rlp = encodeTrieNode(node)
  return rlp.length < 32 ? node : put(nodes, node, rlp, writes)
}

function sealNode(
  nodes: TrieNodes,
  draft: Exclude<Draft, Uint8Array>,
  writes: StateWrite[],
): TrieNode {
  switch (draft.kind) {
    case 'draftLeaf':
      return { kind: 'leaf', path: draft.path, value: draft.value }
    case 'draftExtension':
      return { kind: 'extension', path: draft.path, child: seal(nodes, draft.child, writes) }
    case 'draftBranch':
      return {
        kind: 'branch',
        children: draft.children.map(child => (child === null ? null : seal(nodes, child, writes))),
      }
    default:
      return draft
  }
}

/** The root is stored under its hash however short it is. */
function store(nodes: TrieNodes, node: TrieNode, writes: StateWrite[]): Uint8Array {
  return put(nodes, node, encodeTrieNode(node), writes)
}

function put(nodes: TrieNodes, node: TrieNode, rlp: Uint8Array, writes: StateWrite[]): Uint8Array {
  const hash = nodes.keccak256(rlp)
  nodes.keep(hash, node)
  writes.push({ hash, bytes: rlp })
  return hash
}

function countShared(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  let count = 0
  while (count < length && a[count] === b[count]) count++
  return count
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}
