import type { Chain, StoredLog } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { LogFilter } from '../codec/log-filter.ts'
import type { Pool } from '../pool/pool.ts'
import { LIMIT_EXCEEDED, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { isInRange, type LiveRange, readLiveRange } from './live-range.ts'
import { createLogIndex } from './log-index.ts'
import { createRandomId } from './random-id.ts'

/** What callers poll: entries of blocks and transactions that came after the filter did, in their order and each once. */
export interface Filters {
  /** For logs of blocks to come; throws `RpcError` where there can be none. */
  addLogFilter(filter: LogFilter): Hex
  /** For hashes of blocks. */
  addBlockFilter(): Hex
  /** For hashes of transactions that become pending. */
  addTransactionFilter(): Hex
  /**
   * What came since it was last called, as the text of an array; the filter lives for another five minutes. Throws
   * `RpcError` for an id that is not, or no longer, a filter's.
   */
  takeChanges(id: string): string
  /** The criteria of a log filter; throws `RpcError` for other ids. */
  findLogFilter(id: string): LogFilter
  /** Whether there was such a filter. */
  remove(id: string): boolean
  count(): number
  close(): void
}

export interface FilterOptions {
  readonly clock?: Clock
  /** Most filters at a time; 1000 unless told. */
  readonly maxFilters?: number
  /** Most entries that wait for a poll; one more ends the filter. 10,000 unless told. */
  readonly maxEntries?: number
}

export interface Clock {
  /** Milliseconds that never run backwards. */
  now(): number
  /** Gives the way to stop it. */
  repeat(milliseconds: number, work: () => void): () => void
}

/** As in geth. */
const LIFETIME_MS = 5 * 60_000
const SWEEP_MS = 30_000

interface Filter {
  readonly id: Hex
  readonly logs: LogFilter | null
  /** JSON texts, shared by all filters that have the same entry. */
  entries: string[]
  /** Clock time from which on it is gone. */
  deadline: number
  /** Takes it out of those that wait for entries. */
  leave: () => void
}

export function createFilters(
  chain: Pick<Chain, 'onAppend'>,
  pool: Pick<Pool, 'onPending'>,
  options: FilterOptions = {},
): Filters {
  const { clock = systemClock, maxFilters = 1000, maxEntries = 10_000 } = options
  const filters = new Map<string, Filter>()
  const blockFilters = new Set<Filter>()
  const transactionFilters = new Set<Filter>()
  const logFilters = createLogIndex<{ filter: Filter; range: LiveRange }>()

  function add(logs: LogFilter | null, join: (filter: Filter) => () => void): Hex {
    if (filters.size >= maxFilters) sweep()
    if (filters.size >= maxFilters) {
      throw new RpcError(LIMIT_EXCEEDED, `too many filters, at most ${maxFilters} at a time`)
    }
    const deadline = clock.now() + LIFETIME_MS
    const filter: Filter = { id: createRandomId(), logs, entries: [], deadline, leave: () => {} }
    filter.leave = join(filter)
    filters.set(filter.id, filter)
    return filter.id
  }

  function addTo(group: Set<Filter>): Hex {
    return add(null, filter => {
      group.add(filter)
      return () => group.delete(filter)
    })
  }

  function drop(filter: Filter): void {
    filter.leave()
    filters.delete(filter.id)
  }

  function find(id: string): Filter | undefined {
    const filter = filters.get(id)
    if (filter && filter.deadline > clock.now()) return filter
    if (filter) drop(filter)
    return undefined
  }

  function findOrThrow(id: string): Filter {
    const filter = find(id)
    if (!filter) throw new RpcError(SERVER_ERROR, 'filter not found')
    return filter
  }

  function sweep(): void {
    const now = clock.now()
    for (const filter of filters.values()) if (filter.deadline <= now) drop(filter)
  }

  function push(filter: Filter, entry: string): void {
    if (filter.entries.length < maxEntries) filter.entries.push(entry)
    else drop(filter)
  }

  function pushToAll(group: Set<Filter>, hash: Hex): void {
    const entry = `"${hash}"`
    for (const filter of group) push(filter, entry)
  }

  function pushLog(log: StoredLog, number: bigint): void {
    for (const { filter, range } of logFilters.find(log)) {
      if (isInRange(range, number)) push(filter, log.json)
    }
  }

  const stops = [
    chain.onAppend(({ block, logs }) => {
      pushToAll(blockFilters, block.header.hash)
      if (logFilters.size > 0) for (const log of logs) pushLog(log, block.header.number)
    }),
    pool.onPending(transaction => pushToAll(transactionFilters, transaction.hash)),
    clock.repeat(SWEEP_MS, sweep),
  ]

  return {
    addLogFilter(logs) {
      const range = readLiveRange(logs)
      return add(logs, filter => logFilters.add(logs, { filter, range }))
    },
    addBlockFilter: () => addTo(blockFilters),
    addTransactionFilter: () => addTo(transactionFilters),
    takeChanges(id) {
      const filter = findOrThrow(id)
      filter.deadline = clock.now() + LIFETIME_MS
      const text = `[${filter.entries.join(',')}]`
      filter.entries = []
      return text
    },
    findLogFilter(id) {
      const { logs } = findOrThrow(id)
      if (!logs) throw new RpcError(SERVER_ERROR, 'filter not found')
      return logs
    },
    remove(id) {
      const filter = find(id)
      if (filter) drop(filter)
      return filter !== undefined
    },
    count: () => filters.size,
    close() {
      for (const stop of stops) stop()
      for (const filter of filters.values()) drop(filter)
    },
  }
}

const systemClock: Clock = {
  now: () => performance.now(),
  repeat(milliseconds, work) {
    const timer = setInterval(work, milliseconds)
    timer.unref()
    return () => clearInterval(timer)
  },
}
