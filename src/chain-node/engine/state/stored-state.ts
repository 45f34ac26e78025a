import type { StateSource } from '../engine.ts'
import {
  decodeAccount,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  equalBytes,
  toKey,
  toPlainBytes,
} from './state-reader.ts'
import { decodeTrieNode, listChildren, type TrieChild } from './trie-node.ts'

/** Whether all of a state is stored: each node of its tries, and all code. Takes as long as the state is large. */
export function isStored(source: StateSource, stateRoot: Uint8Array): boolean {
  const seen = new Set<string>()

  /** @param visit - told of each value; false ends the walk */
  function walk(root: Uint8Array, visit: (value: Uint8Array) => boolean): boolean {
    if (equalBytes(root, EMPTY_ROOT)) return true
    const waiting: TrieChild[] = [root]
    for (let child = waiting.pop(); child !== undefined; child = waiting.pop()) {
      const node = child instanceof Uint8Array ? load(child) : child
      if (node === 'missing') return false
      if (node === 'seen') continue
      if (node.kind === 'leaf') {
        if (!visit(node.value)) return false
      } else if (node.kind === 'extension') waiting.push(node.child)
      else waiting.push(...listChildren(node))
    }
    return true
  }

  /** Equal parts of a trie, and of several, are looked at once. */
  function load(hash: Uint8Array) {
    const key = toKey(hash)
    if (seen.has(key)) return 'seen'
    seen.add(key)
    const bytes = source.get(hash)
    return bytes === undefined ? 'missing' : decodeTrieNode(toPlainBytes(bytes))
  }

  return walk(stateRoot, value => {
    const { storageRoot, codeHash } = decodeAccount(value)
    const hasCode = equalBytes(codeHash, EMPTY_CODE_HASH) || source.get(codeHash) !== undefined
    return hasCode && walk(storageRoot, () => true)
  })
}
