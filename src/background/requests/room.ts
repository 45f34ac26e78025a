import { tooManyPending } from '../../provider/errors.ts'

/** Requests that need a person: so many at once from one origin, and from all together. */
const MAX_PENDING_PER_ORIGIN = 5
const MAX_PENDING = 20

/** Requests that are answered without a person after many lookups: so many at once from one origin. */
const MAX_AT_WORK_PER_ORIGIN = 20

/** How many requests are under way, by origin. */
export function createRoom() {
  /** Origins of the requests that are stored or about to be, by key. */
  const asking = new Map<string, string>()
  const atWork = new Map<string, number>()

  return {
    /** Check and entry are one step: many requests may arrive at once. Throws -32002. */
    take(key: string, origin: string): void {
      if (asking.has(key)) return
      const ofOrigin = [...asking.values()].filter(other => other === origin)
      if (asking.size >= MAX_PENDING || ofOrigin.length >= MAX_PENDING_PER_ORIGIN) {
        throw tooManyPending()
      }
      asking.set(key, origin)
    },

    /** For a request that was stored by an earlier worker. */
    keep(key: string, origin: string): void {
      asking.set(key, origin)
    },

    leave(key: string): void {
      asking.delete(key)
    },

    /** Throws -32002 while enough of this origin is at work. */
    async withinLimit<T>(origin: string, work: () => Promise<T>): Promise<T> {
      const count = atWork.get(origin) ?? 0
      if (count >= MAX_AT_WORK_PER_ORIGIN) throw tooManyPending()
      atWork.set(origin, count + 1)
      try {
        return await work()
      } finally {
        const left = (atWork.get(origin) ?? 1) - 1
        if (left === 0) atWork.delete(origin)
        else atWork.set(origin, left)
      }
    },
  }
}
