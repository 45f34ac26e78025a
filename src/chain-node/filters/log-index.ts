import type { Hex } from '../codec/hex.ts'
import { createLogMatcher, type LogCriteria } from '../codec/log-filter.ts'

type Log = Parameters<ReturnType<typeof createLogMatcher>>[0]

interface Entry<T> {
  readonly value: T
  readonly matches: (log: Log) => boolean
}

/** Values by the logs they are meant for: what a log costs does not grow with those that are for other addresses or topics. */
export interface LogIndex<T> {
  readonly size: number
  /** Gives the way to take the value out again. */
  add(criteria: LogCriteria, value: T): () => void
  /** The values whose criteria the log meets, each once. */
  find(log: Log): T[]
}

export function createLogIndex<T>(): LogIndex<T> {
  // Each entry stands under one thing that its logs have: its addresses, else the topics of its first position, else nothing.
  const entries = new Map<string, Set<Entry<T>>>()
  let size = 0

  function collect(key: string, log: Log, found: T[]): void {
    for (const entry of entries.get(key) ?? []) if (entry.matches(log)) found.push(entry.value)
  }

  return {
    get size() {
      return size
    },
    add(criteria, value) {
      const keys = listKeys(criteria)
      const entry: Entry<T> = { value, matches: createLogMatcher(criteria) }
      for (const key of keys) {
        const others = entries.get(key)
        if (others) others.add(entry)
        else entries.set(key, new Set([entry]))
      }
      size += 1
      let present = true
      return () => {
        if (!present) return
        present = false
        size -= 1
        for (const key of keys) {
          const others = entries.get(key)
          others?.delete(entry)
          if (others?.size === 0) entries.delete(key)
        }
      }
    },
    find(log) {
      const found: T[] = []
      collect(ANY, log, found)
      collect(log.address, log, found)
      log.topics.forEach((topic, position) => {
        collect(nameTopic(position, topic), log, found)
      })
      return found
    },
  }
}

const ANY = ''

function listKeys(criteria: LogCriteria): Set<string> {
  if (criteria.addresses.length > 0) return new Set(criteria.addresses)
  const position = criteria.topics.findIndex(alternatives => alternatives.length > 0)
  const alternatives = criteria.topics[position]
  if (!alternatives) return new Set([ANY])
  return new Set(alternatives.map(topic => nameTopic(position, topic)))
}

function nameTopic(position: number, topic: Hex): string {
  return `${position}${topic}`
}
