import type { StateWrite } from '../engine/block.ts'
import type { StateSource } from '../engine/engine.ts'

/** A state source in memory. */
export function createStateMemory() {
  const stored = new Map<string, Uint8Array>()
  return {
    source: {
      get: (hash: Uint8Array) => stored.get(Buffer.from(hash).toString('hex')),
    } satisfies StateSource,
    store(writes: readonly StateWrite[]) {
      for (const { hash, bytes } of writes) stored.set(Buffer.from(hash).toString('hex'), bytes)
    },
    size: () => stored.size,
  }
}
