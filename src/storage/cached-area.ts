import type { StorageArea } from './storage-area.ts'

/**
 * An area that asks the browser for each key once: the background is the only writer, and a message across processes
 * for every look at the lock or the network would be most of a page's waiting time. Values are not to be changed in place.
 */
export function createCachedArea(area: StorageArea): StorageArea {
  const cache = new Map<string, unknown>()
  const reading = new Map<string, Promise<unknown>>()
  /** Windows hear of a write before it is confirmed here: who asks then waits for that, so as not to be told the old value. */
  const writing = new Map<string, Promise<void>>()
  return {
    async get(key) {
      await writing.get(key)?.catch(() => {})
      if (cache.has(key)) return cache.get(key)
      const read = reading.get(key) ?? area.get(key)
      reading.set(key, read)
      try {
        const value = await read
        // A write that came meanwhile is newer than what was read.
        if (reading.get(key) === read) cache.set(key, value)
        return cache.has(key) ? cache.get(key) : value
      } finally {
        if (reading.get(key) === read) reading.delete(key)
      }
    },
    getStored: key => area.getStored(key),
    set: entries => write(area.set(entries), Object.entries(entries)),
    remove: keys =>
      write(
        area.remove(keys),
        [keys].flat().map(key => [key, undefined]),
      ),
    async clear() {
      await area.clear()
      reading.clear()
      cache.clear()
    },
  }

  async function write(written: Promise<void>, entries: [string, unknown][]): Promise<void> {
    for (const [key] of entries) writing.set(key, written)
    try {
      await written
      for (const [key, value] of entries) {
        reading.delete(key)
        cache.set(key, value)
      }
    } finally {
      for (const [key] of entries) if (writing.get(key) === written) writing.delete(key)
    }
  }
}
