import { createMutex } from '../primitives/mutex.ts'
import type { JobView } from '../views/inscribe-views.ts'
import type { JobRecord } from './job-record.ts'
import { stateOf } from './job-state.ts'

/** Pure rules of when a job is looked at by itself. Times in milliseconds. */

/** What an alarm is set to: the shortest that browsers keep to. */
export const WATCH_PERIOD_MS = 30_000

/** A job that has come to its end is watched this long, for a block may be undone and a server may have lied. */
const WATCHED_MS = 6 * 60 * 60 * 1000

/** What it would take to go on is kept this long at least, whatever a server says of blocks. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000

const FINISHED: ReadonlySet<JobView['state']> = new Set(['done', 'refunded', 'ended'])

/** Between two looks while there is news of the chain: one piece seldom comes alone. */
const PACE_AT_NEWS = 1000

/** Between two looks, while it goes on. */
const PACES: { [state in JobView['state']]?: number } = { stuck: 60_000, waiting: 60_000 }
const PACE_OF_ALL_ELSE = 15_000
const PACE_WHILE_WATCHED = 15 * 60_000
const PACE_AFTERWARDS = 24 * 60 * 60 * 1000

/** Since when nothing is left to do, by what is known now; null while something is. */
export function finishedAt(job: JobRecord, now: number): number | null {
  return FINISHED.has(stateOf(job)) ? (job.finishedAt ?? now) : null
}

/** `news` of the chain concern a job that goes on. */
export function isDue(job: JobRecord, now: number, { news = false } = {}): boolean {
  const pace = news && job.finishedAt === null ? PACE_AT_NEWS : paceOf(job, now)
  return job.fate !== 'over' && now - job.checkedAt >= pace
}

/** Whether somebody should come back to a job, though no page is open. */
export function isUnderWay(job: JobRecord, now: number): boolean {
  return job.fate !== 'over' && !isOlder(job.finishedAt, WATCHED_MS, now)
}

/** Whether what was signed may be put away, should the chain have settled it. */
export function isPrunable({ finishedAt }: JobRecord, now: number): boolean {
  return isOlder(finishedAt, KEPT_MS, now)
}

function paceOf(job: JobRecord, now: number): number {
  if (job.finishedAt === null) return PACES[stateOf(job)] ?? PACE_OF_ALL_ELSE
  return isUnderWay(job, now) ? PACE_WHILE_WATCHED : PACE_AFTERWARDS
}

function isOlder(since: number | null, ms: number, now: number): boolean {
  return since !== null && now - since >= ms
}

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
    // Created anew, it would begin to wait anew.
    if (!(await alarms.get(name))) await alarms.create(name, { periodInMinutes: periodMs / 60_000 })
  }
}
