import type { StateSource } from '../engine.ts'
import { createRecentMap } from './recent-map.ts'
import {
  decodeTrieNode,
  headLength,
  measureBytes,
  readChild,
  readItem,
  splitNibbles,
  type TrieChild,
  type TrieNode,
  writeBytes,
  writeHead,
} from './trie-node.ts'
import type { TrieNodes } from './trie-update.ts'

/** An account as it is in the state; not to be changed. */
export interface AccountRecord {
  readonly nonce: bigint
  readonly balance: bigint
  readonly storageRoot: Uint8Array
  readonly codeHash: Uint8Array
}

/** Reads states by their root; what was read is kept for a while. Throws where a node or code is not in the source. */
export interface StateReader extends TrieNodes {
  /** @param address - 20 bytes */
  readAccount(stateRoot: Uint8Array, address: Uint8Array): AccountRecord | null
  /** Says what an account is at a root that has just been computed, so that it is not looked for in the trie. */
  keepAccount(stateRoot: Uint8Array, address: Uint8Array, account: AccountRecord): void
  /** @param slot - 32 bytes
   *  @returns without leading zeros */
  readStorage(storageRoot: Uint8Array, slot: Uint8Array): Uint8Array
  readCode(codeHash: Uint8Array): Uint8Array
  /** What stands under a key of a trie; null where nothing does. */
  find(root: Uint8Array, key: Uint8Array): Uint8Array | null
  /** Whether a slot has a value, which has no leading zeros. False too where that is not known. */
  holds(storageRoot: Uint8Array, slot: Uint8Array, value: Uint8Array): boolean
  /** What is put in place of an account that is deleted, and of a slot that is cleared; null where they are taken out. */
  readonly absent: { readonly account: Uint8Array | null; readonly slot: Uint8Array | null }
  /** RLP of the nodes with a hash of their own from the root to the value, or to where it would be; none for an empty trie. */
  prove(root: Uint8Array, key: Uint8Array): Uint8Array[]
  /** The path of an address or a slot: the nibbles of its hash. */
  path(key: Uint8Array): Uint8Array
}

/** Root of a trie without keys: the hash of RLP's empty string. */
export const EMPTY_ROOT = fromHex(
  '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
)
/** Hash of no code. */
export const EMPTY_CODE_HASH = fromHex(
  'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
)
export const NO_BYTES = new Uint8Array(0)

/** Bytes as a string of as many characters, to be a key of a map. */
export function toKey(bytes: Uint8Array): string {
  return Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** An account as it stands in the trie. */
export function encodeAccount(account: AccountRecord): Uint8Array {
  const nonce = encodeInteger(account.nonce)
  const balance = encodeInteger(account.balance)
  const { storageRoot, codeHash } = account
  const length =
    measureBytes(nonce) + measureBytes(balance) + measureBytes(storageRoot) + measureBytes(codeHash)
  const rlp = new Uint8Array(headLength(length) + length)
  let end = writeBytes(rlp, writeHead(rlp, 0, 0xc0, length), nonce)
  end = writeBytes(rlp, end, balance)
  end = writeBytes(rlp, end, storageRoot)
  writeBytes(rlp, end, codeHash)
  return rlp
}

export function createStateReader(
  source: StateSource,
  keccak256: (bytes: Uint8Array) => Uint8Array,
): StateReader {
  const nodes = createRecentMap<TrieNode>(NODES_KEPT)
  const paths = createRecentMap<Uint8Array>(PATHS_KEPT)
  const codes = createRecentMap<Uint8Array>(CODES_KEPT)
  const accounts = createRecentMap<AccountRecord | null>(ACCOUNTS_KEPT)

  function node(hash: Uint8Array): TrieNode {
    const key = toKey(hash)
    const kept = nodes.get(key)
    if (kept !== undefined) return kept
    const decoded = decodeTrieNode(load(hash, 'node of a trie'))
    nodes.set(key, decoded)
    return decoded
  }

  function load(hash: Uint8Array, what: string): Uint8Array {
    const bytes = source.get(hash)
    if (bytes !== undefined) return toPlainBytes(bytes)
    throw new Error(`The state has no ${what} ${Buffer.from(hash).toString('hex')}`)
  }

  function path(key: Uint8Array): Uint8Array {
    const name = toKey(key)
    const kept = paths.get(name)
    if (kept !== undefined) return kept
    const nibbles = splitNibbles(keccak256(key))
    paths.set(name, nibbles)
    return nibbles
  }

  /** @param visit - told of the hashes on the way */
  function find(
    root: Uint8Array,
    key: Uint8Array,
    visit?: (hash: Uint8Array) => void,
  ): Uint8Array | null {
    if (equalBytes(root, EMPTY_ROOT)) return null
    const nibbles = path(key)
    let depth = 0
    let at: TrieChild = root
    for (;;) {
      if (visit !== undefined && at instanceof Uint8Array) visit(at)
      const current: TrieNode = at instanceof Uint8Array ? node(at) : at
      if (current.kind === 'branch') {
        const child: TrieChild | null = readChild(current, nibbles[depth++] as number)
        if (child === null) return null
        at = child
        continue
      }
      for (let i = 0; i < current.path.length; i++) {
        if (current.path[i] !== nibbles[depth + i]) return null
      }
      if (current.kind === 'leaf') return current.value
      depth += current.path.length
      at = current.child
    }
  }

  function readStorage(storageRoot: Uint8Array, slot: Uint8Array): Uint8Array {
    const value = find(storageRoot, slot)
    if (value === null) return NO_BYTES
    const item = readItem(value, 0)
    return value.subarray(item.start, item.end)
  }

  return {
    node,
    path,
    keccak256,
    find: (root, key) => find(root, key),
    readStorage,
    holds: (storageRoot, slot, value) => equalBytes(readStorage(storageRoot, slot), value),
    absent: TAKEN_OUT,
    keep(hash, decoded) {
      nodes.set(toKey(hash), decoded)
    },
    readAccount(stateRoot, address) {
      const key = toKey(stateRoot) + toKey(address)
      const kept = accounts.get(key)
      if (kept !== undefined) return kept
      const value = find(stateRoot, address)
      const account = value === null ? null : decodeAccount(value)
      accounts.set(key, account)
      return account
    },
    keepAccount(stateRoot, address, account) {
      accounts.set(toKey(stateRoot) + toKey(address), account)
    },
    prove(root, key) {
      const proof: Uint8Array[] = []
      find(root, key, hash => proof.push(load(hash, 'node of a trie')))
      return proof
    },
    readCode(codeHash) {
      if (equalBytes(codeHash, EMPTY_CODE_HASH)) return NO_BYTES
      const key = toKey(codeHash)
      const kept = codes.get(key)
      if (kept !== undefined) return kept
      const code = load(codeHash, 'code')
      codes.set(key, code)
      return code
    },
  }
}

const TAKEN_OUT = { account: null, slot: null }

/** Reads the value of a slot as it stands in the trie. */
export function decodeSlot(rlp: Uint8Array): Uint8Array {
  const item = readItem(rlp, 0)
  return rlp.subarray(item.start, item.end)
}

/** At most some 800 bytes each, for a full branch. */
const NODES_KEPT = 16_384
/** Some 300 bytes each, with their names. */
const PATHS_KEPT = 16_384
/** At most 24 kB each. */
const CODES_KEPT = 512
/** Some 500 bytes each; every block has its own. */
const ACCOUNTS_KEPT = 8_192

/** Reads an account as it stands in the trie. */
export function decodeAccount(rlp: Uint8Array): AccountRecord {
  const list = readItem(rlp, 0)
  const nonce = readItem(rlp, list.start)
  const balance = readItem(rlp, nonce.end)
  const storageRoot = readItem(rlp, balance.end)
  const codeHash = readItem(rlp, storageRoot.end)
  return {
    nonce: decodeInteger(rlp.subarray(nonce.start, nonce.end)),
    balance: decodeInteger(rlp.subarray(balance.start, balance.end)),
    storageRoot: rlp.subarray(storageRoot.start, storageRoot.end),
    codeHash: rlp.subarray(codeHash.start, codeHash.end),
  }
}

/** Not a `Buffer`: it copies where others share, and shares where others copy. */
export function toPlainBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.constructor === Uint8Array) return bytes
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

function decodeInteger(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  if (bytes.length <= 6) {
    let value = 0
    for (const byte of bytes) value = value * 256 + byte
    return BigInt(value)
  }
  return BigInt(`0x${Buffer.prototype.hexSlice.call(bytes, 0, bytes.length)}`)
}

/** Without leading zeros; zero is no bytes. */
export function encodeInteger(value: bigint): Uint8Array {
  if (value === 0n) return NO_BYTES
  const digits = value.toString(16)
  return Buffer.from(digits.length & 1 ? `0${digits}` : digits, 'hex')
}

function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(digits, 'hex'))
}
