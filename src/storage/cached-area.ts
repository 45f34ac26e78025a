import type { StorageArea } from './storage-area.ts'

/**
 * An area that asks the browser for each key once: the background is the only writer, and a message across processes
 * for every look at the lock or the network would be most of a page's waiting time. Values are not to be changed in place.
 */
export function createCachedArea(area: StorageArea): StorageArea {
  const cache = new Map<string, unknown>()
  const reading = new Map<string, Promise<unknown>>()
  return {
    async get(key) {
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
    async set(entries) {
      await area.set(entries)
      for (const [key, value] of Object.entries(entries)) keep(key, value)
    },
    async remove(keys) {
      await area.remove(keys)
      for (const key of [keys].flat()) keep(key, undefined)
    },
    async clear() {
      await area.clear()
      reading.clear()
      cache.clear()
    },
  }

  function keep(key: string, value: unknown): void {
    reading.delete(key)
    cache.set(key, value)
  }
}
