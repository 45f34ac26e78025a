import type { StorageArea } from '../storage-area.ts'

export type MemoryArea = StorageArea & {
  /** A copy of everything that is stored. */
  dump(): { [key: string]: unknown }
}

/**
 * A storage area in memory for tests. It holds JSON, as an extension's does, and gives the same value until that is written, as
 * the wallet's own areas do, but frozen. `beforeWrite` runs before each key is written or removed; when it throws, that write
 * and the rest of its call do not happen, as when the process dies there.
 */
export function createMemoryArea(
  entries: { [key: string]: unknown } = {},
  beforeWrite: (key: string) => void = () => {},
): MemoryArea {
  const stored = new Map(Object.entries(entries).map(([key, value]) => [key, toJson(key, value)]))
  const parsed = new Map<string, { json: string; value: unknown }>()
  const get = async (key: string) => {
    const json = stored.get(key)
    if (json === undefined) return undefined
    const known = parsed.get(key)
    if (known?.json === json) return known.value
    const value: unknown = JSON.parse(json, (_, each) => Object.freeze(each))
    parsed.set(key, { json, value })
    return value
  }
  return {
    get,
    getStored: get,
    async set(changes) {
      for (const [key, value] of Object.entries(changes)) {
        const json = toJson(key, value)
        beforeWrite(key)
        stored.set(key, json)
      }
    },
    async remove(keys) {
      for (const key of [keys].flat()) {
        beforeWrite(key)
        stored.delete(key)
      }
    },
    async clear() {
      for (const key of [...stored.keys()]) {
        beforeWrite(key)
        stored.delete(key)
      }
    },
    dump: () =>
      Object.fromEntries([...stored].map(([key, json]) => [key, JSON.parse(json) as unknown])),
  }
}

export class StorageCrashError extends Error {
  override name = 'StorageCrashError'
}

/** A `beforeWrite` that lets `writes` writes pass and refuses every later one; areas that share it crash together. */
export function crashAfter(writes: number): () => void {
  let left = writes
  return () => {
    if (left === 0) throw new StorageCrashError(`crash after ${writes} writes`)
    left--
  }
}

function toJson(key: string, value: unknown): string {
  const json = JSON.stringify(value)
  if (json === undefined) throw new Error(`${key}: not a JSON value`)
  return json
}
