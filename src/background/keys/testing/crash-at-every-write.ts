import { expect } from 'vitest'
import {
  crashAfter,
  createMemoryArea,
  StorageCrashError,
} from '../../../storage/testing/memory-area.ts'
import type { Vault } from '../vault.ts'
import { createTestVault } from './vault-fixture.ts'

/** Both areas. */
export type Stored = { local: { [key: string]: unknown }; session: { [key: string]: unknown } }

/**
 * Runs a mutation once for every number of writes that it may get done before the process dies, and hands on what storage
 * holds then. The last run is the one that nothing interrupts.
 */
export async function crashAtEveryWrite(
  before: Stored,
  mutate: (vault: Vault) => Promise<unknown>,
  check: (after: Stored, finished: boolean) => Promise<void>,
): Promise<number> {
  for (let writes = 0; writes < 50; writes++) {
    let crashed = false
    const countDown = crashAfter(writes)
    const guard = () => {
      try {
        countDown()
      } catch (error) {
        crashed = true
        throw error
      }
    }
    const local = createMemoryArea(before.local, guard)
    const session = createMemoryArea(before.session, guard)
    const { vault } = createTestVault({ local, session })
    await mutate(vault).catch(error => {
      // What the caller is told no longer matters to a dead process; it must only stem from the crash.
      expect(rootCause(error)).toBeInstanceOf(StorageCrashError)
    })
    await check({ local: local.dump(), session: session.dump() }, !crashed)
    if (!crashed) return writes
  }
  throw new Error('never finished')
}

function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause ? rootCause(error.cause) : error
}
