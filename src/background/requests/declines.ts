import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'

const MINUTE_MS = 60_000

/** So many noes within a minute, and no window opens for the site for as long again. */
const MOST_DECLINES = 3

/** So many questions in a row that were left, each within so long of the one before, and no window opens for as long again. */
const MOST_LEFT = 5
const LEFT_MS = 10 * MINUTE_MS

const STORAGE_KEY = 'declines'

/** Times of the last noes by origin, and of the last questions that were left by {@link namesOf}; oldest first. */
type Declines = { [name: string]: number[] }

type Asker = { origin: string; tabId: number }

/**
 * How often the person has said no to a site of late, and how often its pages left before anybody answered what they asked.
 * Kept in session storage: a worker that dies forgets nothing.
 */
export function createDeclines({ session, now }: { session: StorageArea; now(): number }) {
  const inTurn = createMutex()

  return {
    /** The person rejected something of these, or closed the window in which they asked: one no for a site. */
    add(askers: readonly Asker[]): Promise<void> {
      return change(declines => {
        for (const name of askers.flatMap(namesOf)) delete declines[name]
        push(
          declines,
          askers.map(({ origin }) => origin),
        )
      })
    },

    /** Pages left with questions of theirs that nobody answered: they count as one for a site, and as one in a tab. */
    leave: (askers: readonly Asker[]): Promise<void> =>
      change(declines => push(declines, askers.flatMap(namesOf))),

    /** The person approved something of this one: its site starts anew. */
    forget(asker: Asker): Promise<void> {
      return change(declines => {
        for (const name of [asker.origin, ...namesOf(asker)]) delete declines[name]
      })
    },

    /** Whether no window opens for what was asked then. */
    async isResting(asked: Asker & { createdAt: number }): Promise<boolean> {
      const declines = await load()
      const noes = declines[asked.origin] ?? []
      const [first = 0, last = 0] = [noes.at(-MOST_DECLINES), noes.at(-1)]
      const ends = namesOf(asked).map(name => declines[name] ?? [])
      const left = ends.filter(({ length }) => length === MOST_LEFT).map(times => times.at(-1) ?? 0)
      if (noes.length >= MOST_DECLINES && last - first < MINUTE_MS) left.push(last)
      return left.some(since => asked.createdAt >= since)
    },

    /** Whether the person has said no to this site within the last minute. */
    async isDeclined(origin: string): Promise<boolean> {
      return origin in (await load())
    },
  }

  function push(declines: Declines, names: readonly string[]): void {
    for (const name of new Set(names))
      declines[name] = [...(declines[name] ?? []), now()].slice(-MOST_LEFT)
  }

  /** Those that still count. */
  async function load(): Promise<Declines> {
    const stored = Object((await session.getStored(STORAGE_KEY)) ?? {}) as Declines
    return Object.fromEntries(
      Object.entries(stored).filter(
        ([name, times]) =>
          now() - (times.at(-1) ?? 0) < (name.startsWith(LEFT) ? LEFT_MS : MINUTE_MS),
      ),
    )
  }

  function change(edit: (declines: Declines) => void): Promise<void> {
    return inTurn(async () => {
      const declines = await load()
      edit(declines)
      await session.set({ [STORAGE_KEY]: declines })
    })
  }
}

const LEFT = 'left '

/** A page that goes by another name each time has its tab, and one that goes to another tab its name. */
function namesOf({ origin, tabId }: Asker): string[] {
  return [LEFT + origin, LEFT + tabId]
}

export type DeclineStore = ReturnType<typeof createDeclines>
