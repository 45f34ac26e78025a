import type { StateSource } from '../engine/engine.ts'
import { createCache } from './cache.ts'
import { stateKey } from './keys.ts'
import type { Store } from './store.ts'

/**
 * Nodes of tries and code in a store. They are kept in memory as they are asked for: what lies under a hash never changes.
 *
 * @param capacity - bytes in memory
 */
export function stateSource(store: Store, capacity = 64 * 2 ** 20): StateSource {
  const cache = createCache<string, Uint8Array>(capacity, bytes => bytes.length + OVERHEAD)
  return {
    get(hash) {
      const key = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')
      const known = cache.get(key)
      if (known) return known
      const bytes = store.get(stateKey(hash))
      if (bytes) cache.set(key, bytes)
      return bytes
    },
  }
}

/** What an entry costs beside its bytes, about. */
const OVERHEAD = 150
