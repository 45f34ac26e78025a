import type { StateWrite } from '../block.ts'
import {
  type AccountRecord,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  encodeAccount,
  equalBytes,
  NO_BYTES,
  type StateReader,
  toKey,
} from './state-reader.ts'
import { encodeBytes } from './trie-node.ts'
import { type TrieChange, updateTrie } from './trie-update.ts'

/**
 * A state that is being changed: what is changed lies over the state of a root, and can be taken back to a checkpoint.
 * Addresses are 20 bytes, slots 32, values of slots have no leading zeros. Everything is synchronous.
 */
export interface State {
  readAccount(address: Uint8Array): AccountRecord | null
  /** Puts balance, nonce and hash of the code; the storage stays as it is. */
  writeAccount(address: Uint8Array, nonce: bigint, balance: bigint, codeHash: Uint8Array): void
  /** Takes the account away, with its storage. */
  deleteAccount(address: Uint8Array): void
  readCode(address: Uint8Array): Uint8Array
  writeCode(address: Uint8Array, code: Uint8Array): void
  readSlot(address: Uint8Array, slot: Uint8Array): Uint8Array
  writeSlot(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void
  clearStorage(address: Uint8Array): void
  /** The value before the transaction (EIP-2200), if it is asked for before each first write. */
  readOriginalSlot(address: Uint8Array, slot: Uint8Array): Uint8Array
  /** Forgets the values before the transaction. */
  clearOriginals(): void
  checkpoint(): void
  commit(): void
  revert(): void
  /** The root of the state as it is now; trie nodes and code that come anew are added to `writes`. */
  computeRoot(writes: StateWrite[]): Uint8Array
  /** Forgets all changes, and goes on from another root. */
  reset(stateRoot: Uint8Array): void
  /** All changes, for another state over the same root; this one must be reset then. */
  takeLayers(): StateLayers
  putLayers(layers: StateLayers): void
}

/** What lies over the state of a root. */
export interface StateLayers {
  readonly addresses: Map<string, Uint8Array>
  readonly accounts: Map<string, AccountRecord | null>
  readonly storages: Map<string, StorageLayer>
  readonly codes: Map<string, Uint8Array>
}

/** Storage that lies over a root: what was not written is as it is there. */
interface StorageLayer {
  readonly root: Uint8Array
  readonly slots: Map<string, WrittenSlot>
}

interface WrittenSlot {
  readonly slot: Uint8Array
  readonly value: Uint8Array
}

type Undo = () => void

export function createState(reader: StateReader, stateRoot: Uint8Array): State {
  let root = stateRoot
  /** As they are at the root. */
  let read = new Map<string, AccountRecord | null>()
  let addresses = new Map<string, Uint8Array>()
  let accounts = new Map<string, AccountRecord | null>()
  let storages = new Map<string, StorageLayer>()
  let codes = new Map<string, Uint8Array>()
  let originals = new Map<string, Uint8Array>()
  let undos: Undo[] = []
  let checkpoints: number[] = []

  function readBefore(key: string, address: Uint8Array): AccountRecord | null {
    const known = read.get(key)
    if (known !== undefined) return known
    const account = reader.readAccount(root, address)
    read.set(key, account)
    return account
  }

  function readAccount(address: Uint8Array): AccountRecord | null {
    const key = toKey(address)
    const account = accounts.get(key)
    return account === undefined ? readBefore(key, address) : account
  }

  function setAccount(address: Uint8Array, account: AccountRecord | null): void {
    const key = toKey(address)
    const before = accounts.get(key)
    if (before === undefined) addresses.set(key, address)
    accounts.set(key, account)
    if (checkpoints.length === 0) return
    undos.push(() => {
      if (before === undefined) accounts.delete(key)
      else accounts.set(key, before)
    })
  }

  function findStorage(address: Uint8Array): StorageLayer | null {
    const key = toKey(address)
    const layer = storages.get(key)
    if (layer !== undefined) return layer
    const account = readBefore(key, address)
    return account === null || equalBytes(account.storageRoot, EMPTY_ROOT)
      ? null
      : { root: account.storageRoot, slots: new Map() }
  }

  function setStorage(address: Uint8Array, layer: StorageLayer): void {
    const key = toKey(address)
    const before = storages.get(key)
    if (before === undefined) addresses.set(key, address)
    storages.set(key, layer)
    if (checkpoints.length === 0) return
    undos.push(() => {
      if (before === undefined) storages.delete(key)
      else storages.set(key, before)
    })
  }

  function clearStorage(address: Uint8Array): void {
    if (findStorage(address) === null) return
    setStorage(address, { root: EMPTY_ROOT, slots: new Map() })
    const account = readAccount(address)
    if (account !== null) setAccount(address, { ...account, storageRoot: EMPTY_ROOT })
  }

  function writeAccount(
    address: Uint8Array,
    nonce: bigint,
    balance: bigint,
    codeHash: Uint8Array,
  ): void {
    const before = readAccount(address)
    const storageRoot = before === null ? EMPTY_ROOT : before.storageRoot
    setAccount(address, { nonce, balance, storageRoot, codeHash })
  }

  function readSlot(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const key = toKey(address)
    const layer = storages.get(key)
    if (layer !== undefined) {
      const written = layer.slots.get(toKey(slot))
      return written === undefined ? reader.readStorage(layer.root, slot) : written.value
    }
    const account = readBefore(key, address)
    return account === null ? NO_BYTES : reader.readStorage(account.storageRoot, slot)
  }

  function sealStorage(layer: StorageLayer, writes: StateWrite[]): Uint8Array {
    const changes: TrieChange[] = []
    for (const { slot, value } of layer.slots.values()) {
      if (reader.holds(layer.root, slot, value)) continue
      changes.push({
        path: reader.path(slot),
        value: value.length === 0 ? reader.absent.slot : encodeBytes(value),
      })
    }
    if (changes.length === 0) return layer.root
    return updateTrie(reader, toTrieRoot(layer.root), changes, writes) ?? EMPTY_ROOT
  }

  return {
    readAccount,
    writeAccount,
    readSlot,
    clearStorage,
    deleteAccount(address) {
      if (readAccount(address) === null) return
      clearStorage(address)
      setAccount(address, null)
    },
    readCode(address) {
      const account = readAccount(address)
      if (account === null || equalBytes(account.codeHash, EMPTY_CODE_HASH)) return NO_BYTES
      return codes.get(toKey(account.codeHash)) ?? reader.readCode(account.codeHash)
    },
    writeCode(address, code) {
      const account = readAccount(address)
      const codeHash = code.length === 0 ? EMPTY_CODE_HASH : reader.keccak256(code)
      if (code.length > 0) codes.set(toKey(codeHash), code)
      writeAccount(address, account?.nonce ?? 0n, account?.balance ?? 0n, codeHash)
    },
    writeSlot(address, slot, value) {
      let layer = storages.get(toKey(address))
      if (layer === undefined) {
        layer = findStorage(address) ?? { root: EMPTY_ROOT, slots: new Map() }
        setStorage(address, layer)
      }
      const { slots } = layer
      const key = toKey(slot)
      const before = slots.get(key)
      slots.set(key, { slot, value })
      if (checkpoints.length === 0) return
      undos.push(() => {
        if (before === undefined) slots.delete(key)
        else slots.set(key, before)
      })
    },
    readOriginalSlot(address, slot) {
      const key = toKey(address) + toKey(slot)
      let value = originals.get(key)
      if (value === undefined) {
        value = readSlot(address, slot)
        originals.set(key, value)
      }
      return value
    },
    clearOriginals() {
      if (originals.size > 0) originals = new Map()
    },
    checkpoint() {
      checkpoints.push(undos.length)
    },
    commit() {
      if (checkpoints.pop() === undefined) throw new Error('There is no checkpoint to commit')
      if (checkpoints.length === 0) undos = []
    },
    revert() {
      const start = checkpoints.pop()
      if (start === undefined) throw new Error('There is no checkpoint to go back to')
      for (let i = undos.length - 1; i >= start; i--) undos[i]?.()
      undos.length = start
    },
    computeRoot(writes) {
      const changes: TrieChange[] = []
      const changed: { address: Uint8Array; account: AccountRecord }[] = []
      for (const [key, address] of addresses) {
        const account = readAccount(address)
        const before = readBefore(key, address)
        const path = reader.path(address)
        if (account === null) {
          if (before !== null) changes.push({ path, value: reader.absent.account })
          continue
        }
        const layer = storages.get(key)
        const storageRoot = layer === undefined ? account.storageRoot : sealStorage(layer, writes)
        if (before !== null && isSame(before, account, storageRoot)) continue
        const { nonce, balance, codeHash } = account
        const after = { nonce, balance, storageRoot, codeHash }
        changes.push({ path, value: encodeAccount(after) })
        changed.push({ address, account: after })
        const code = codes.get(toKey(account.codeHash))
        if (code !== undefined) writes.push({ hash: account.codeHash, bytes: code })
      }
      if (changes.length === 0) return root
      const next = updateTrie(reader, toTrieRoot(root), changes, writes) ?? EMPTY_ROOT
      for (const { address, account } of changed) reader.keepAccount(next, address, account)
      return next
    },
    reset(stateRoot) {
      root = stateRoot
      read = new Map()
      if (addresses.size > 0) addresses = new Map()
      if (accounts.size > 0) accounts = new Map()
      if (storages.size > 0) storages = new Map()
      if (codes.size > 0) codes = new Map()
      if (originals.size > 0) originals = new Map()
      undos = []
      checkpoints = []
    },
    takeLayers: () => ({ addresses, accounts, storages, codes }),
    putLayers(layers) {
      addresses = layers.addresses
      accounts = layers.accounts
      storages = layers.storages
      codes = layers.codes
    },
  }
}

function isSame(before: AccountRecord, after: AccountRecord, storageRoot: Uint8Array): boolean {
  return (
    before.nonce === after.nonce &&
    before.balance === after.balance &&
    equalBytes(before.codeHash, after.codeHash) &&
    equalBytes(before.storageRoot, storageRoot)
  )
}

function toTrieRoot(root: Uint8Array): Uint8Array | null {
  return equalBytes(root, EMPTY_ROOT) ? null : root
}
