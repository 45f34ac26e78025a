import type { JobRecord } from '../inscribing/job-record.ts'
import { stateOf } from '../inscribing/job-state.ts'
import type { MintJob } from '../minting/mint-jobs.ts'
import { isFinished } from '../minting/mint-run.ts'

/** How a job stands, as far as the person is told: `open` while it goes on by itself. */
type Standing = 'open' | 'stuck' | 'done' | 'refunded' | 'ended'

export type JobEvent = {
  is: Exclude<Standing, 'open'>
  what: 'inscribing' | 'etching' | 'minting'
  id: string
  network: JobRecord['network']
  accountId: string
}

/** What was told of each job, by its id. */
export type ToldJobs = { [id: string]: string }

/** A job that is stuck at once says so to who began it, on the screen. */
const FIRST_MOMENT_MS = 60_000

/** What happened to jobs since they were last told of; with null for `told`, which is when it begins, nothing. */
export function findJobEvents(
  told: ToldJobs | null,
  { jobs, mints }: { jobs: readonly JobRecord[]; mints: readonly MintJob[] },
  now: number,
): { events: JobEvent[]; next: ToldJobs } {
  const standing = [
    ...jobs.map(job => ({
      job,
      is: standingOf(job),
      what: job.etching ? ('etching' as const) : ('inscribing' as const),
      signings: job.attempts.length,
    })),
    ...mints.map(job => ({ job, is: standingOfMint(job), what: 'minting' as const, signings: 1 })),
  ]
  const next: ToldJobs = {}
  const events: JobEvent[] = []
  for (const { job, is, what, signings } of standing) {
    const { id, network, accountId } = job
    const before = told?.[id] ?? 'open'
    const isTooSoon = is === 'stuck' && told !== null && now - job.at < FIRST_MOMENT_MS
    // One that was signed anew may be stuck anew.
    const mark = is === 'stuck' ? `stuck ${signings}` : is
    if (is === 'open' || isTooSoon) {
      // What was undone, or goes on for a while, is not told of twice.
      next[id] = before
      continue
    }
    next[id] = mark
    if (told !== null && before !== mark) events.push({ is, what, id, network, accountId })
  }
  return { events, next }
}

function standingOf(job: JobRecord): Standing {
  const state = stateOf(job)
  // What the person gave up is no news.
  if (state === 'ended' && job.lifecycle === 'discarded') return 'open'
  return state === 'stuck' || state === 'done' || state === 'refunded' || state === 'ended'
    ? state
    : 'open'
}

/** Mints that were refused wait for the person; what a server does not answer is tried again. */
function standingOfMint(job: MintJob): Standing {
  if (isFinished(job) && job.stopped !== 'person') return job.stopped === null ? 'done' : 'ended'
  const isSent = job.txids.every(txid => job.seen[txid] !== undefined)
  const isStuck = !isSent && job.stopped === null && job.problem?.kind === 'refused'
  return isStuck ? 'stuck' : 'open'
}
