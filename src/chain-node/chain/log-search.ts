import { setImmediate } from 'node:timers/promises'
import { createLogMatcher } from '../codec/log-filter.ts'
import { LIMIT_EXCEEDED, RpcError } from '../rpc/rpc-error.ts'
import {
  addressIndex,
  LOGS,
  logKey,
  readLogHeight,
  storedLogKey,
  topicIndex,
} from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import type { LogQuery, StoredLog } from './chain.ts'
import { decodeLog } from './log-record.ts'

/**
 * Finds logs through the index of what seems to be rarest among the address and the topics that are asked for, and looks at
 * no others; only a query for everything walks the logs themselves.
 */
export async function searchLogs(
  store: Store,
  query: LogQuery,
  limit: number,
): Promise<StoredLog[]> {
  if (query.from > query.to) return []
  const matches = createLogMatcher(query)
  const criterion = await chooseCriterion(store, query)
  const pause = createPause()
  const found: { key: Buffer; log: StoredLog }[] = []

  for (const index of criterion ?? [LOGS]) {
    for await (const entry of iterate(store, index, query)) {
      const key = criterion ? storedLogKey(entry.key) : Buffer.from(entry.key)
      const record = criterion ? store.get(key) : entry.value
      if (!record) throw new Error(`The log of index entry ${key.toString('hex')} is missing.`)
      const log = decodeLog(record)
      if (matches(log) && found.push({ key, log }) > limit) {
        throw new RpcError(LIMIT_EXCEEDED, `query returned more than ${limit} results`)
      }
      const turn = pause()
      if (turn) await turn
    }
  }
  if (criterion && criterion.length > 1) found.sort((a, b) => Buffer.compare(a.key, b.key))
  return found.map(({ log }) => log)
}

/** Prefixes in an index, of which any may be that of a log. */
type Criterion = readonly Buffer[]

/** Entries that are looked at to guess how many there are. */
const SAMPLE = 32

/** Null where the query has none. */
async function chooseCriterion(store: Store, query: LogQuery): Promise<Criterion | null> {
  // Later topics say most about a log as a rule, and its address least.
  const [first, ...others] = [
    unique(query.addresses).map(addressIndex),
    ...query.topics.map((topics, position) =>
      unique(topics).map(topic => topicIndex(position, topic)),
    ),
  ]
    .filter(criterion => criterion.length > 0)
    .reverse()
    .sort((a, b) => a.length - b.length)
  if (!first) return null
  if (others.length === 0) return first

  let best = { criterion: first, count: await guessCount(store, first, query, Infinity) }
  for (const criterion of others) {
    if (best.count < SAMPLE) break
    const count = await guessCount(store, criterion, query, best.count)
    if (count < best.count) best = { criterion, count }
  }
  return best.criterion
}

/**
 * About how many entries a criterion has in the range: exact where there are few, and from the part of the range that the
 * first ones fill where there are many. Stops at `enough`.
 */
async function guessCount(
  store: Store,
  criterion: Criterion,
  query: LogQuery,
  enough: number,
): Promise<number> {
  const blocks = Number(query.to - query.from) + 1
  let count = 0
  for (const index of criterion) {
    let seen = 0
    let last = query.from
    for await (const { key } of iterate(store, index, query, SAMPLE)) {
      seen++
      last = readLogHeight(key)
    }
    const filled = Number(last - query.from) + 1
    count += seen < SAMPLE ? seen : seen * (blocks / filled)
    if (count >= enough) break
  }
  return count
}

function iterate(store: Store, index: Buffer, { from, to }: LogQuery, limit?: number) {
  const options = limit === undefined ? {} : { limit }
  return store.iterate(logKey(index, from), logKey(index, to + 1n), options)
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

/** Lets others have their turn after some milliseconds of work. */
function createPause(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < TURN) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}

/** Milliseconds. */
const TURN = 5
