import { touchedScripts } from '../chain/chain.ts'
import { hashScript } from '../chain/script.ts'
import { spentOutpoint, type TransactionRecord } from '../chain/transaction-record.ts'

/** An unconfirmed transaction. */
export interface PoolEntry {
  record: TransactionRecord
  /** Unix seconds. */
  time: number
  parents: Set<string>
  children: Set<string>
}

/** Unconfirmed transactions with their family ties; it accepts whatever it is given (mempool.ts decides). */
export interface Pool {
  size(): number
  get(txid: string): PoolEntry | undefined
  /** All entries, parents before children. */
  entries(): PoolEntry[]
  /** Txid and input of the unconfirmed transaction that spends an outpoint. */
  spender(outpoint: string): { txid: string; vin: number } | undefined
  /** Transactions that pay or spend a script, oldest first. */
  touching(scriptHash: string): PoolEntry[]
  /** Unspent outputs that pay a script. */
  coins(scriptHash: string): { txid: string; vout: number; value: bigint }[]
  add(record: TransactionRecord, time: number): PoolEntry
  /** Takes one transaction out and leaves its descendants. */
  remove(txid: string): void
  clone(): Pool
}

export function createPool(from: readonly PoolEntry[] = []): Pool {
  const entries = new Map<string, PoolEntry>()
  const spenders = new Map<string, { txid: string; vin: number }>()
  const scripts = new Map<string, Set<string>>()

  const pool: Pool = {
    size: () => entries.size,
    get: txid => entries.get(txid),
    // A parent is always added before its child, and a Map keeps the order of insertion.
    entries: () => [...entries.values()],
    spender: outpoint => spenders.get(outpoint),
    touching: key => [...(scripts.get(key) ?? [])].flatMap(txid => entries.get(txid) ?? []),
    coins: key =>
      pool
        .touching(key)
        .flatMap(({ record }) =>
          [...record.tx.outs.entries()]
            .filter(
              ([vout, output]) =>
                hashScript(output.script) === key && !spenders.has(`${record.txid}:${vout}`),
            )
            .map(([vout, { value }]) => ({ txid: record.txid, vout, value })),
        ),
    add(record, time) {
      const entry: PoolEntry = { record, time, parents: new Set(), children: new Set() }
      for (const [vin, input] of record.tx.ins.entries()) {
        const outpoint = spentOutpoint(input)
        spenders.set(outpoint, { txid: record.txid, vin })
        const parent = entries.get(outpoint.slice(0, 64))
        if (!parent) continue
        parent.children.add(record.txid)
        entry.parents.add(parent.record.txid)
      }
      entries.set(record.txid, entry)
      for (const key of touchedScripts(record)) {
        const touching = scripts.get(key)
        if (touching) touching.add(record.txid)
        else scripts.set(key, new Set([record.txid]))
      }
      return entry
    },
    remove(txid) {
      const entry = entries.get(txid)
      if (!entry) return
      entries.delete(txid)
      for (const input of entry.record.tx.ins) spenders.delete(spentOutpoint(input))
      for (const parent of entry.parents) entries.get(parent)?.children.delete(txid)
      for (const child of entry.children) entries.get(child)?.parents.delete(txid)
      for (const key of touchedScripts(entry.record)) scripts.get(key)?.delete(txid)
    },
    clone: () => createPool(pool.entries()),
  }
  for (const { record, time } of from) pool.add(record, time)
  return pool
}

/** Unconfirmed ancestors of a set of transactions, these included, parents before children. */
export function withAncestors(pool: Pool, txids: Iterable<string>): PoolEntry[] {
  return inPoolOrder(pool, reach(pool, txids, 'parents'))
}

/** Unconfirmed descendants of a set of transactions, these included, parents before children. */
export function withDescendants(pool: Pool, txids: Iterable<string>): PoolEntry[] {
  return inPoolOrder(pool, reach(pool, txids, 'children'))
}

/** The given transactions and all their unconfirmed parents, or children, in no order. */
export function reach(
  pool: Pool,
  txids: Iterable<string>,
  ties: 'parents' | 'children',
): Set<string> {
  const found = new Set<string>()
  const queue = [...txids]
  for (let txid = queue.pop(); txid !== undefined; txid = queue.pop()) {
    const entry = pool.get(txid)
    if (!entry || found.has(txid)) continue
    found.add(txid)
    queue.push(...entry[ties])
  }
  return found
}

function inPoolOrder(pool: Pool, txids: ReadonlySet<string>): PoolEntry[] {
  return pool.entries().filter(({ record }) => txids.has(record.txid))
}
