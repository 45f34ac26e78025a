import type { StorageArea } from '../../storage/storage-area.ts'

export type UnlockBackOff = {
  /** Milliseconds until a password may be tried; 0 when at once. */
  delayMs(): Promise<number>
  /** Counts a try as failed. Called before the password is checked, so that killing the worker saves nobody a failure. */
  count(): Promise<void>
  /** The password was right. */
  reset(): Promise<void>
}

type Failures = { failures: number; lastAt: number }

const KEY = 'vault.backOff'
const FREE_FAILURES = 5
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 5 * 60_000
/** From here on the delay is the longest. */
const MAX_FAILURES = FREE_FAILURES + 9

/**
 * Slows down guessing: after the fifth wrong password a wait of 1 s, doubled by each further one up to 5 minutes. It is
 * stored, so a restart does not shorten it. Where the clock was set back, the wait starts anew: neither shorter nor endless.
 */
export function createUnlockBackOff(local: StorageArea, now: () => number): UnlockBackOff {
  async function read(): Promise<Failures> {
    const stored = await local.get(KEY)
    if (stored === undefined) return { failures: 0, lastAt: now() }
    const known = parseFailures(stored) ?? {
      failures: MAX_FAILURES,
      lastAt: Number.POSITIVE_INFINITY,
    }
    if (known.lastAt <= now()) return known
    const restarted = { failures: known.failures, lastAt: now() }
    await local.set({ [KEY]: restarted })
    return restarted
  }
  return {
    async delayMs() {
      const { failures, lastAt } = await read()
      if (failures < FREE_FAILURES) return 0
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES), LONGEST_DELAY_MS)
      return Math.max(0, lastAt + delay - now())
    },
    async count() {
      const { failures } = await read()
      await local.set({
        [KEY]: { failures: Math.min(failures + 1, MAX_FAILURES), lastAt: now() } satisfies Failures,
      })
    },
    reset: () => local.remove(KEY),
  }
}

function parseFailures(value: unknown): Failures | null {
  if (typeof value !== 'object' || value === null) return null
  const { failures, lastAt } = value as { failures?: unknown; lastAt?: unknown }
  if (!Number.isSafeInteger(failures) || typeof lastAt !== 'number') return null
  if (Number(failures) < 0 || Number(failures) > MAX_FAILURES) return null
  return { failures: Number(failures), lastAt }
}
