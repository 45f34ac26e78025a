import type { Store, StoredEntry } from '../store/store.ts'

/** A store that ends with the process. */
export interface MemoryStore extends Store {
  readonly entries: ReadonlyMap<string, Uint8Array>
  /** Writes that were made. */
  countWrites(): number
  breakDisk(error: Error | null): void
}

export function createMemoryStore(): MemoryStore {
  const entries = new Map<string, Uint8Array>()
  let writes = 0
  let fault: Error | null = null
  const format = (key: Uint8Array) => Buffer.from(key).toString('hex')
  return {
    entries,
    countWrites: () => writes,
    breakDisk(error) {
      fault = error
    },
    get: key => entries.get(format(key)),
    async write(puts, deletes = []) {
      await null
      if (fault) throw fault
      writes++
      for (const { key, value } of puts) entries.set(format(key), value)
      for (const key of deletes) entries.delete(format(key))
    },
    async *iterate(from, to, { reverse = false, limit = -1 } = {}): AsyncGenerator<StoredEntry> {
      const keys = [...entries.keys()]
        .filter(key => key >= format(from) && key < format(to))
        .sort((a, b) => (a < b !== reverse ? -1 : 1))
      for (const key of limit < 0 ? keys : keys.slice(0, limit)) {
        const value = entries.get(key)
        if (value) yield { key: Buffer.from(key, 'hex'), value }
      }
    },
    async close() {},
  }
}
