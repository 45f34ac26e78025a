import type { Chain } from '../chain/chain.ts'
import { decodeHeader, encodeHeader, type HeaderRecord } from '../chain/header-record.ts'
import { decodeHex, encodeHex, type Hex } from '../codec/hex.ts'
import { type Engine, TransactionError } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import { type Pool, PoolError } from '../pool/pool.ts'
import type { BlockClock, Producer } from '../producer/producer.ts'
import { readHeight, writeHeight } from '../store/keys.ts'
import type { Store, StoredEntry } from '../store/store.ts'

/** States of the node to come back to: blocks, accounts, what waits in the pool, and the clock of blocks. They outlive a restart. */
export interface Snapshots {
  /** @returns its number, which no other gets */
  take(): Promise<bigint>
  /** Comes back to one, which is used up with all that were taken after it. False where there is none of that number. */
  revert(id: bigint): Promise<boolean>
  /** Comes back to the genesis, with an empty pool and the clock of the node, and forgets all of them. */
  reset(): Promise<void>
}

interface Snapshot {
  readonly head: HeaderRecord
  readonly clock: BlockClock
  readonly transactions: readonly Pick<Transaction, 'raw' | 'from'>[]
}

export interface SnapshotParts {
  readonly store: Store
  readonly engine: Pick<Engine, 'decodeTransaction'>
  readonly chain: Pick<Chain, 'genesis' | 'findHeader' | 'mark' | 'revert'>
  readonly pool: Pick<Pool, 'add' | 'drop' | 'pending' | 'queued'>
  readonly producer: Pick<Producer, 'betweenBlocks' | 'clock' | 'setClock'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Keys are `d` and the number in eight bytes; under `d` alone is the number of the last that was taken. The value is JSON, with
 * the header as header-record.ts has it.
 */
const LAST_KEY = Buffer.from('d')
const END = Buffer.from('e')

export function createSnapshots({
  store,
  engine,
  chain,
  pool,
  producer,
  now = Date.now,
}: SnapshotParts): Snapshots {
  function listPooled(): Transaction[] {
    return [...pool.pending().values(), ...pool.queued().values()].flat()
  }

  async function restore({ head, clock, transactions }: Snapshot, first: bigint): Promise<void> {
    await chain.revert(head, { puts: [], deletes: await listKeysFrom(store, first) })
    for (const { hash } of listPooled()) pool.drop(hash)
    for (const { raw, from } of transactions) {
      try {
        await pool.add(engine.decodeTransaction(raw, from), 'local')
      } catch (error) {
        if (!(error instanceof PoolError) && !(error instanceof TransactionError)) throw error
      }
    }
    producer.setClock(clock)
  }

  /** Not where the disk has lost its block. */
  function isInChain({ header }: HeaderRecord): boolean {
    return chain.findHeader(header.number)?.hash === header.hash
  }

  return {
    take: () =>
      producer.betweenBlocks(async () => {
        const last = store.get(LAST_KEY)
        const id = last === undefined ? 1n : readHeight(last) + 1n
        const snapshot = { head: chain.mark(), clock: producer.clock(), transactions: listPooled() }
        await store.write([{ key: LAST_KEY, value: writeHeight(id) }, encode(id, snapshot)])
        return id
      }),
    revert: id =>
      producer.betweenBlocks(async () => {
        const value = store.get(keyOf(id))
        const snapshot = value === undefined ? null : decode(value)
        if (snapshot === null || !isInChain(snapshot.head)) return false
        await restore(snapshot, id)
        return true
      }),
    reset: () =>
      producer.betweenBlocks(async () => {
        const { genesis } = chain
        const head = { header: genesis, totalDifficulty: genesis.difficulty }
        const clock = { now: BigInt(Math.floor(now() / 1000)), next: null }
        await restore({ head, clock, transactions: [] }, 0n)
      }),
  }
}

async function listKeysFrom(store: Store, first: bigint): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = []
  for await (const { key } of store.iterate(keyOf(first), END)) keys.push(key)
  return keys
}

function keyOf(id: bigint): Uint8Array {
  return Buffer.concat([LAST_KEY, writeHeight(id)])
}

function encode(id: bigint, { head, clock, transactions }: Snapshot): StoredEntry {
  const value = {
    head: Buffer.from(encodeHeader(head)).toString('latin1'),
    now: clock.now.toString(),
    next: clock.next?.toString() ?? null,
    transactions: transactions.map(({ raw, from }) => ({ raw: encodeHex(raw), from })),
  }
  return { key: keyOf(id), value: Buffer.from(JSON.stringify(value)) }
}

function decode(bytes: Uint8Array): Snapshot {
  const { head, now, next, transactions } = JSON.parse(Buffer.from(bytes).toString('latin1')) as {
    head: string
    now: string
    next: string | null
    transactions: readonly { raw: Hex; from: Hex }[]
  }
  return {
    head: decodeHeader(Buffer.from(head, 'latin1')),
    clock: { now: BigInt(now), next: next === null ? null : BigInt(next) },
    transactions: transactions.map(({ raw, from }) => ({ raw: decodeHex(raw), from })),
  }
}
