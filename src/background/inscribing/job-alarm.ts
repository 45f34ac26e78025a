import { createMutex } from '../primitives/mutex.ts'

/** Where jobs are stored that are not over; in what was stored before, all of them. The worker starts with these, and not with `jobs.ts`. */
export const JOBS_KEY = 'jobs'

/** Those that are over, apart: written with every step of another, they were most of what it wrote. */
export const OVER_JOBS_KEY = 'jobs.over'

/** The shortest period of an alarm that browsers keep to, in milliseconds. */
export const WATCH_PERIOD_MS = 30_000

/** The part of the browser's alarms that is used; they wake a worker that has ended. */
export type Alarms = {
  get(name: string): Promise<unknown>
  create(name: string, when: { periodInMinutes: number }): Promise<void> | void
  clear(name: string): Promise<unknown>
}

/** Keeps an alarm set while there is something to come back to. */
export function createJobAlarm({
  alarms,
  name,
  periodMs,
  isNeeded,
}: {
  alarms: Alarms
  name: string
  periodMs: number
  isNeeded(): Promise<boolean>
}) {
  const inTurn = createMutex()

  return {
    /** Sets the alarm before it runs what makes it needed: a worker that dies at any moment of that is woken. */
    guard<T>(write: () => Promise<T>): Promise<T> {
      return inTurn(async () => {
        await set()
        return write()
      })
    },
    /** Sets or clears it, as is needed now. */
    follow(): Promise<void> {
      return inTurn(async () => {
        if (await isNeeded()) await set()
        else await alarms.clear(name)
      })
    },
  }

  async function set(): Promise<void> {
    // Creating an alarm again would restart its wait.
    if (!(await alarms.get(name))) await alarms.create(name, { periodInMinutes: periodMs / 60_000 })
  }
}
