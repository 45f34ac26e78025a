import { decodeHex, encodeHex, type Hex } from '../codec/hex.ts'
import type { StateWrite } from '../engine/block.ts'
import { keccak256 } from '../engine/crypto.ts'
import { createRecentMap } from '../engine/state/recent-map.ts'
import {
  type AccountRecord,
  decodeAccount,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  encodeAccount,
  equalBytes,
  toKey,
  toPlainBytes,
} from '../engine/state/state-reader.ts'
import { encodeBytes, splitNibbles } from '../engine/state/trie-node.ts'
import { updateTrie } from '../engine/state/trie-update.ts'
import { stateKey, writeHeight } from '../store/keys.ts'
import type { Store, StoredEntry } from '../store/store.ts'
import { MissingStateError } from './missing-state.ts'

/**
 * What is known of the remote chain's state at the block of the fork, in the store.
 *
 * | key                       | value                                                                            |
 * |---------------------------|----------------------------------------------------------------------------------|
 * | `fa` address              | account as in a trie, whose storage root is that of `layBase`, or of no storage  |
 * | `fs` address, slot        | value without leading zeros                                                      |
 * | `fh` height               | hash of an older block                                                           |
 * | `fg`                      | root of the state that the fork begins with                                      |
 * | `fb`                      | the block of the fork as the remote answers it, JSON with full transactions      |
 *
 * Code stands where the chain's own does.
 */
export interface RemoteValues {
  /** Null for one that is not there or is empty. Throws `MissingStateError`. */
  account(address: Uint8Array): AccountRecord | null
  /** Without leading zeros. Throws `MissingStateError`. */
  slot(address: Uint8Array, slot: Uint8Array): Uint8Array
  /** The same; null where it is not known. */
  findSlot(address: Uint8Array, slot: Uint8Array): Uint8Array | null
  /** Of a block before that of the fork; null where it is not known. */
  findBlockHash(number: bigint): Hex | null
  keep(found: {
    readonly accounts?: readonly FoundAccount[]
    readonly slots?: readonly FoundSlot[]
    readonly hashes?: readonly { readonly number: bigint; readonly hash: Hex }[]
  }): Promise<void>
}

export interface FoundAccount {
  readonly address: Hex
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Uint8Array
  readonly hasStorage: boolean
}

export interface FoundSlot {
  readonly address: Hex
  readonly slot: Hex
  /** Without leading zeros. */
  readonly value: Uint8Array
}

/** What begins with this key in a storage trie says whose storage lies below it. No slot has its path: slots have 32 bytes. */
export const BASE_KEY = Buffer.from('remote storage')

const ACCOUNTS_KEPT = 16_384
const SLOTS_KEPT = 65_536

export const GENESIS_ROOT_KEY = Buffer.from('fg')
export const BLOCK_KEY = Buffer.from('fb')

export function createRemoteValues(store: Store): RemoteValues {
  const accounts = createRecentMap<AccountRecord | null>(ACCOUNTS_KEPT)
  const slots = createRecentMap<Uint8Array>(SLOTS_KEPT)

  function findSlot(address: Uint8Array, slot: Uint8Array): Uint8Array | null {
    const name = toKey(address) + toKey(slot)
    const kept = slots.get(name)
    if (kept !== undefined) return kept
    const bytes = store.get(slotKey(address, slot))
    if (bytes === undefined) return null
    const value = toPlainBytes(bytes)
    slots.set(name, value)
    return value
  }

  return {
    account(address) {
      const name = toKey(address)
      const kept = accounts.get(name)
      if (kept !== undefined) return kept
      const bytes = store.get(accountKey(address))
      if (bytes === undefined) {
        throw new MissingStateError({ kind: 'account', address: encodeHex(address) })
      }
      const record = decodeAccount(toPlainBytes(bytes))
      const account = isEmptyAccount(record) ? null : record
      accounts.set(name, account)
      return account
    },
    findSlot,
    slot(address, slot) {
      const value = findSlot(address, slot)
      if (value !== null) return value
      const missing = { kind: 'slot', address: encodeHex(address), slot: encodeHex(slot) } as const
      throw new MissingStateError(missing)
    },
    findBlockHash(number) {
      const hash = store.get(blockHashKey(number))
      return hash === undefined ? null : encodeHex(hash)
    },
    async keep(found) {
      await store.write([
        ...(found.accounts ?? []).flatMap(listAccountEntries),
        ...(found.slots ?? []).map(({ address, slot, value }) => ({
          key: slotKey(decodeHex(address), decodeHex(slot)),
          value,
        })),
        ...(found.hashes ?? []).map(({ number, hash }) => ({
          key: blockHashKey(number),
          value: decodeHex(hash),
        })),
      ])
    },
  }
}

export function isEmptyAccount({ nonce, balance, codeHash }: AccountRecord): boolean {
  return nonce === 0n && balance === 0n && equalBytes(codeHash, EMPTY_CODE_HASH)
}

function listAccountEntries(found: FoundAccount): StoredEntry[] {
  const { nonce, balance, code, hasStorage } = found
  const address = decodeHex(found.address)
  const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code)
  const writes: StateWrite[] = code.length === 0 ? [] : [{ hash: codeHash, bytes: code }]
  const storageRoot = hasStorage ? layBase(address, writes) : EMPTY_ROOT
  return [
    ...writes.map(({ hash, bytes }) => ({ key: stateKey(hash), value: bytes })),
    {
      key: accountKey(address),
      value: encodeAccount({ nonce, balance, storageRoot, codeHash }),
    },
  ]
}

/** The root of a storage trie that has nothing but whose storage lies below it. */
function layBase(address: Uint8Array, writes: StateWrite[]): Uint8Array {
  const nodes = {
    node: (): never => {
      throw new Error('a trie of one leaf has no other nodes')
    },
    keep() {},
    keccak256,
  }
  const path = splitNibbles(keccak256(BASE_KEY))
  const change = { path, value: encodeBytes(address) }
  return updateTrie(nodes, null, [change], writes) as Uint8Array
}

function accountKey(address: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('fa'), address])
}

function slotKey(address: Uint8Array, slot: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('fs'), address, slot])
}

function blockHashKey(number: bigint): Uint8Array {
  return Buffer.concat([Buffer.from('fh'), writeHeight(number)])
}
