import { encodeHex, type Hex } from '../../codec/hex.ts'
import { toBytes } from '../../engine/block-environment.ts'
import { keccak256 } from '../../engine/crypto.ts'
import { computeDifficulty } from '../../engine/difficulty.ts'
import { NO_UNCLES } from '../../engine/encoding/block-codec.ts'
import {
  decodeRlp,
  encodeRlp,
  isRlpList,
  type RlpItem,
  type RlpValue,
} from '../../engine/encoding/rlp.ts'
import type { Rules } from '../../engine/rules.ts'
import { createStateReader, EMPTY_ROOT } from '../../engine/state/state-reader.ts'
import { splitNibbles } from '../../engine/state/trie-node.ts'
import { updateTrie } from '../../engine/state/trie-update.ts'
import { decryptKey } from '../../keystore/key-file.ts'
import { createStateMemory } from '../state-memory.ts'

/** Tests of single parts of the node, which need no chain. Each gives the faults that were found. */

/** An RLP test: bytes and what they are, `VALID` or `INVALID`. Text that begins with `#` is an integer. */
export interface RlpTest {
  readonly in: RlpTree
  readonly out: Hex
}

type RlpTree = string | number | readonly RlpTree[]

export function runRlpTest(test: RlpTest): string[] {
  const bytes = toBytes(test.out.startsWith('0x') ? test.out : `0x${test.out}`)
  let decoded: RlpItem | null = null
  try {
    decoded = decodeRlp(bytes)
  } catch (error) {
    if (test.in === 'INVALID') return []
    return [`it is refused: ${error}`]
  }
  if (test.in === 'INVALID') return ['it is taken, expected an error']
  const again = encodeHex(encodeRlp(toValue(decoded)))
  const faults = again === encodeHex(bytes) ? [] : [`it is written as ${again}`]
  if (test.in === 'VALID') return faults
  const written = encodeHex(encodeRlp(fromTree(test.in)))
  return written === encodeHex(bytes) ? faults : [...faults, `the value is written as ${written}`]
}

/** Without the bytes that lists were read from, which would be taken as they are. */
function toValue(item: RlpItem): RlpValue {
  return isRlpList(item) ? item.items.map(toValue) : item
}

function fromTree(tree: RlpTree): RlpValue {
  if (typeof tree === 'number') return BigInt(tree)
  if (typeof tree !== 'string') return tree.map(fromTree)
  return tree.startsWith('#') ? BigInt(tree.slice(1)) : Buffer.from(tree, 'utf8')
}

/** A trie test: keys and values, in the order in which they are put or in any, and the root. Null takes a key away. */
export interface TrieTest {
  readonly in: readonly TrieEntry[] | { readonly [key: string]: string | null }
  readonly root: Hex
}

type TrieEntry = readonly [key: string, value: string | null]

/** Whether all keys have the same length, as all tries of the node want them. */
export function hasEqualKeys(test: TrieTest): boolean {
  return new Set(listEntries(test).map(([key]) => readText(key).length)).size <= 1
}

/** @param isSecure - whether the trie's keys are the hashes of the test's */
export function runTrieTest(test: TrieTest, isSecure: boolean): string[] {
  const entries = listEntries(test)
  const orders = Array.isArray(test.in)
    ? [entries]
    : [entries, entries.toReversed(), entries.toSorted(([a], [b]) => (a < b ? -1 : 1))]
  const roots = orders.flatMap(order => [
    buildTrie(order, isSecure, 1),
    buildTrie(order, isSecure, order.length),
  ])
  return roots
    .filter(root => root !== test.root)
    .map(root => `the root is ${root}, expected ${test.root}`)
}

/** @param step - how many changes are made at once */
function buildTrie(entries: readonly TrieEntry[], isSecure: boolean, step: number): Hex {
  const memory = createStateMemory()
  let root: Uint8Array | null = null
  for (let at = 0; at < entries.length; at += step) {
    const reader = createStateReader(memory.source, keccak256)
    const writes: { hash: Uint8Array; bytes: Uint8Array }[] = []
    const changes = entries.slice(at, at + step).map(([key, value]) => ({
      path: isSecure ? reader.path(readText(key)) : splitNibbles(readText(key)),
      value: value === null ? null : readText(value),
    }))
    root = updateTrie(reader, root, changes, writes)
    memory.store(writes)
  }
  return encodeHex(root ?? EMPTY_ROOT)
}

function listEntries(test: TrieTest): readonly TrieEntry[] {
  return Array.isArray(test.in) ? (test.in as readonly TrieEntry[]) : Object.entries(test.in)
}

function readText(text: string): Uint8Array {
  return Uint8Array.from(text.startsWith('0x') ? toBytes(text as Hex) : Buffer.from(text, 'utf8'))
}

/** A test of a key file: the file, its passphrase and the private key in hex. */
export interface KeyStoreTest {
  readonly json: object
  readonly password: string
  readonly priv: string
}

export async function runKeyStoreTest({ json, password, priv }: KeyStoreTest): Promise<string[]> {
  const key = await decryptKey(JSON.stringify(json), password)
  const found = key.toString('hex')
  return found === priv ? [] : [`the key is ${found}, expected ${priv}`]
}

/** A difficulty test; integers in hex, the uncles as a hash or as their number. */
export interface DifficultyTest {
  readonly parentTimestamp: string
  readonly parentDifficulty: string
  readonly parentUncles?: string
  readonly currentTimestamp: string
  readonly currentBlockNumber: string
  readonly currentDifficulty: string
}

export function runDifficultyTest(rules: Rules, test: DifficultyTest): string[] {
  const number = BigInt(test.currentBlockNumber)
  const timestamp = BigInt(test.currentTimestamp)
  const uncles = test.parentUncles ?? '0x00'
  const parent = {
    number: number - 1n,
    timestamp: BigInt(test.parentTimestamp),
    difficulty: BigInt(test.parentDifficulty),
    hasUncles: uncles !== NO_UNCLES && BigInt(uncles) !== 0n,
  }
  const found = computeDifficulty(rules.commonAt(number, timestamp), parent, timestamp)
  return found === BigInt(test.currentDifficulty)
    ? []
    : [`the difficulty is ${found}, expected ${BigInt(test.currentDifficulty)}`]
}
