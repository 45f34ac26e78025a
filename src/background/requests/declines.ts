import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'

/** So many noes within so long, and no window opens for the site for as long again. */
const MOST_DECLINES = 3
const MINUTE_MS = 60_000

const STORAGE_KEY = 'declines'

/** Times of the last noes, oldest first, by origin. */
type Declines = { [origin: string]: number[] }

/** How often the person has said no to a site of late. Kept in session storage: a worker that dies forgets nothing. */
export function createDeclines({ session, now }: { session: StorageArea; now(): number }) {
  const inTurn = createMutex()

  return {
    /** The person rejected something of these sites, or closed the window in which they asked. */
    add(origins: Iterable<string>): Promise<void> {
      return change(declines => {
        for (const origin of origins) {
          const times = declines[origin] ?? []
          declines[origin] = [...times, now()].slice(-MOST_DECLINES)
        }
      })
    },

    /** The person approved something of this site: it starts anew. */
    forget(origin: string): Promise<void> {
      return change(declines => delete declines[origin])
    },

    /** Since when no window opens for this site; null where one does. */
    async restingSince(origin: string): Promise<number | null> {
      const times = (await load())[origin] ?? []
      const [first, last] = [times[0], times.at(-1)]
      if (times.length < MOST_DECLINES || first === undefined || last === undefined) return null
      return last - first < MINUTE_MS && now() - last < MINUTE_MS ? last : null
    },

    /** Whether the person has said no to this site within the last minute. */
    async isDeclined(origin: string): Promise<boolean> {
      return origin in (await load())
    },
  }

  /** Those that still count. */
  async function load(): Promise<Declines> {
    const stored = Object((await session.getStored(STORAGE_KEY)) ?? {}) as Declines
    const isRecent = (times: number[]) => now() - (times.at(-1) ?? 0) < MINUTE_MS
    return Object.fromEntries(Object.entries(stored).filter(([, times]) => isRecent(times)))
  }

  function change(edit: (declines: Declines) => void): Promise<void> {
    return inTurn(async () => {
      const declines = await load()
      edit(declines)
      await session.set({ [STORAGE_KEY]: declines })
    })
  }
}

export type DeclineStore = ReturnType<typeof createDeclines>
