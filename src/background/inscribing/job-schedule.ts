import type { JobView } from '../views/inscribe-views.ts'
import type { JobRecord } from './job-record.ts'
import { stateOf } from './job-state.ts'

/** When a job is synced without anybody asking. Times in milliseconds. */

/** A finished job is watched this long: a block may be undone, and a server may have lied. */
const WATCHED_MS = 6 * 60 * 60 * 1000

/** The signed transactions of a finished job stay this long at least, whatever a server says of blocks. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000

const FINISHED: ReadonlySet<JobView['state']> = new Set(['done', 'refunded', 'ended'])

/** Between two syncs while there is news of the chain, which often comes in several pieces. */
const INTERVAL_AT_NEWS = 1000

/** Between two syncs of a job that is not finished. */
const INTERVALS: { [state in JobView['state']]?: number } = {
  stuck: 60_000,
  maturing: 60_000,
  waiting: 60_000,
}
const INTERVAL_OF_OTHERS = 15_000
const INTERVAL_WHILE_WATCHED = 15 * 60_000
const INTERVAL_AFTERWARDS = 24 * 60 * 60 * 1000

/** Since when nothing is left to do, by what is known now; null while something is. */
export function finishedAt(job: JobRecord, now: number): number | null {
  return FINISHED.has(stateOf(job)) ? (job.finishedAt ?? now) : null
}

/** Whether to sync a job now; `news` of the chain make one that is not finished due sooner. */
export function isDue(job: JobRecord, now: number, { news = false } = {}): boolean {
  const interval = news && job.finishedAt === null ? INTERVAL_AT_NEWS : intervalOf(job, now)
  return job.lifecycle !== 'over' && now - job.checkedAt >= interval
}

/** Whether an alarm should wake the worker for this job, though no page is open. */
export function isUnderWay(job: JobRecord, now: number): boolean {
  return job.lifecycle !== 'over' && !isOlder(job.finishedAt, WATCHED_MS, now)
}

/** Whether the signed transactions may be dropped once no reorganisation can undo them. */
export function isPrunable({ finishedAt }: JobRecord, now: number): boolean {
  return isOlder(finishedAt, KEPT_MS, now)
}

function intervalOf(job: JobRecord, now: number): number {
  if (job.finishedAt === null) return INTERVALS[stateOf(job)] ?? INTERVAL_OF_OTHERS
  return isUnderWay(job, now) ? INTERVAL_WHILE_WATCHED : INTERVAL_AFTERWARDS
}

function isOlder(since: number | null, ms: number, now: number): boolean {
  return since !== null && now - since >= ms
}
