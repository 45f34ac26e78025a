import { decodeHex, encodeHex, type Hex } from '../codec/hex.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Store, StoredEntry } from '../store/store.ts'
import type { Origin } from './pooled-transaction.ts'

/** What the pool holds, on the disk: key `q` and eight bytes that count up, value origin (1), sender (20) and raw transaction. */
export interface Journal {
  /** What was kept, in the order in which it came. */
  load(): Promise<JournalEntry[]>
  /** Fulfilled when it is on the disk; writes that come together are made as one. Rejected where it cannot be written yet: the next write has it again. */
  keep(transaction: Transaction, origin: Origin): Promise<void>
  /** Written with the next one that is kept: what stays on the disk till then is stale, which the next start sees. */
  forget(hash: Hex): void
  /** Fulfilled when all of it is on the disk. */
  close(): Promise<void>
}

export interface JournalEntry {
  readonly from: Hex
  readonly origin: Origin
  readonly raw: Uint8Array
  /** Says under which hash the entry is kept or forgotten from now on; null removes it. */
  settle(hash: Hex | null): void
}

const LETTER = 'q'.charCodeAt(0)
const FROM = 1
const RAW = FROM + 20

/** @param onFault - told of what could not be written when it was closed */
export function createJournal(store: Store, onFault: (error: unknown) => void): Journal {
  let next = 0n
  const keys = new Map<Hex, Uint8Array>()
  const puts = new Map<Hex, StoredEntry>()
  const deletes: Uint8Array[] = []
  let writing: Promise<void> = Promise.resolve()
  let planned: Promise<void> | null = null

  function write(): Promise<void> {
    planned ??= writing.then(async () => {
      planned = null
      const entries = [...puts]
      const stale = deletes.splice(0)
      puts.clear()
      if (entries.length === 0 && stale.length === 0) return
      try {
        await store.write(
          entries.map(([, entry]) => entry),
          stale,
        )
      } catch (error) {
        deletes.push(...stale)
        for (const [hash, entry] of entries) {
          if (keys.get(hash) === entry.key) puts.set(hash, entry)
        }
        throw error
      }
    })
    writing = planned.catch(() => {})
    return planned
  }

  return {
    async load() {
      const entries: JournalEntry[] = []
      for await (const { key, value } of store.iterate(keyAt(0n), Uint8Array.of(LETTER + 1))) {
        next = readKey(key) + 1n
        entries.push({
          origin: value[0] === 1 ? 'local' : 'remote',
          from: encodeHex(value.subarray(FROM, RAW)),
          raw: value.slice(RAW),
          settle(hash) {
            if (hash === null) deletes.push(key)
            else keys.set(hash, key)
          },
        })
      }
      return entries
    },
    keep(transaction, origin) {
      const key = keyAt(next++)
      keys.set(transaction.hash, key)
      puts.set(transaction.hash, { key, value: formatValue(transaction, origin) })
      return write()
    },
    forget(hash) {
      const key = keys.get(hash)
      if (!key) return
      keys.delete(hash)
      if (!puts.delete(hash)) deletes.push(key)
    },
    close: () => write().catch(onFault),
  }
}

/** What the store is to have so that the next pool that is opened on it has these transactions as well, where they still can be mined. */
export async function listJournalEntries(
  store: Store,
  transactions: readonly Transaction[],
): Promise<StoredEntry[]> {
  let next = 0n
  const last = store.iterate(keyAt(0n), Uint8Array.of(LETTER + 1), { reverse: true, limit: 1 })
  for await (const { key } of last) next = readKey(key) + 1n
  return transactions.map((transaction, index) => ({
    key: keyAt(next + BigInt(index)),
    value: formatValue(transaction, 'remote'),
  }))
}

function formatValue(transaction: Transaction, origin: Origin): Uint8Array {
  const value = new Uint8Array(RAW + transaction.raw.length)
  value[0] = origin === 'local' ? 1 : 0
  value.set(decodeHex(transaction.from), FROM)
  value.set(transaction.raw, RAW)
  return value
}

function keyAt(index: bigint): Uint8Array {
  const key = Buffer.alloc(9)
  key[0] = LETTER
  key.writeBigUInt64BE(index, 1)
  return key
}

function readKey(key: Uint8Array): bigint {
  return Buffer.from(key).readBigUInt64BE(1)
}
