// inscribing: Inscribing: a commit and its reveals are planned, signed together and stored as a job, which goes on
// until it is done. It promises that whatever holds money can be brought to an end or taken back; it never hands
// anything over before all of it is signed and stored.

import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex, type Mutex } from '../primitives/mutex.ts'
import { JOBS_KEY, OVER_JOBS_KEY } from './job-alarm.ts'
import type { JobBytes, JobRecord } from './job-record.ts'
import { decodeJob, encodeJob, type StoredJob } from './stored-job.ts'

/** The oldest fall out. */
const MAX_OVER = 100

/**
 * Inscribing under way, in local storage: it outlives the worker, the browser and the lock. What changes is small and in
 * one list, what is over in another; the signed transactions are written once, before the list says that they are there.
 */
export function createJobs({
  local,
  onChange,
  guard = write => write(),
}: {
  local: StorageArea
  onChange(): void
  /** Runs what stores a signing. */
  guard?: <T>(write: () => Promise<T>) => Promise<T>
}) {
  const writing = createMutex()
  const queues = new Map<string, Mutex>()

  return {
    /** Newest first. */
    list: load,
    async find(id: string): Promise<JobRecord | undefined> {
      return (await load()).find(job => job.id === id)
    },

    /** Adds a job with its first signing; one with this id stays as it is. Resolves what is stored. */
    add(job: JobRecord, bytes: JobBytes): Promise<JobRecord> {
      return writing(async () => {
        const jobs = await load()
        const known = jobs.find(({ id }) => id === job.id)
        if (known) return known
        await guard(() => write([job, ...jobs], { [bytesKey(job.id, 0)]: bytes }))
        return job
      })
    },

    /** Adds a further signing, once a plan; `grow` is given the job as it is then. */
    append(
      id: string,
      planId: string,
      bytes: JobBytes,
      grow: (job: JobRecord) => JobRecord,
    ): Promise<void> {
      return writing(async () => {
        const jobs = await load()
        const job = jobs.find(one => one.id === id)
        if (!job || job.attempts.includes(planId)) return
        const grown = { ...grow(job), attempts: [...job.attempts, planId] }
        const next = jobs.map(one => (one === job ? grown : one))
        await guard(() => write(next, { [bytesKey(id, job.attempts.length)]: bytes }))
      })
    },

    /** Changes a job as it is then; nothing happens to one that was forgotten. */
    update(id: string, change: (job: JobRecord) => JobRecord): Promise<void> {
      return writing(async () => {
        const jobs = await load()
        const job = jobs.find(one => one.id === id)
        if (!job) return
        const next = jobs.map(one => (one === job ? change(job) : one))
        await write(next, {})
        // Of all: a worker may have died here before.
        if (next.some(({ id: other, lifecycle }) => other === id && lifecycle === 'over'))
          await removeBytes(next.filter(({ lifecycle }) => lifecycle === 'over'))
      })
    },

    /** What a signing made; undefined once the job is over. */
    async loadBytes({ id }: JobRecord, attempt: number): Promise<JobBytes | undefined> {
      return (await local.get(bytesKey(id, attempt))) as JobBytes | undefined
    },

    /** Runs a task while no job is written. */
    hold: writing,
    /** What storage holds with these jobs too, each with what its signings made; one with the same id stays as it is. */
    async entriesWith(
      added: readonly { job: JobRecord; bytes: readonly JobBytes[] }[],
    ): Promise<{ [key: string]: unknown }> {
      const jobs = await load()
      const fresh = added.filter(({ job }) => !jobs.some(({ id }) => id === job.id))
      const all = [...jobs, ...fresh.map(({ job }) => job)].sort((a, b) => b.at - a.at)
      const bytes = fresh.flatMap(one =>
        one.bytes.map((signing, attempt) => [bytesKey(one.job.id, attempt), signing]),
      )
      return { ...Object.fromEntries(bytes), ...encodeLists(all) }
    },
    /** What storage holds once the jobs of one account are another's; they stay at the address that they began with. */
    async entriesJoined(from: string, to: string): Promise<{ [key: string]: unknown }> {
      const jobs = (await load()).map(job =>
        job.accountId === from ? { ...job, accountId: to } : job,
      )
      return encodeLists(jobs)
    },
    /** Runs what concerns one job after what was begun for it before. */
    inTurn<T>(id: string, task: () => Promise<T>): Promise<T> {
      const queue = queues.get(id) ?? createMutex()
      queues.set(id, queue)
      return queue(task)
    },

    /** Drops the jobs of an account that are over; the others go on, as everything in them is signed. */
    forgetAccount(accountId: string): Promise<void> {
      return writing(async () => {
        const jobs = await load()
        const kept = jobs.filter(job => job.accountId !== accountId || job.lifecycle !== 'over')
        if (kept.length < jobs.length) await write(kept, {})
      })
    },
  }

  /** Only this module writes them. A job that is in both lists is over: the other one was not written any more. */
  async function load(): Promise<readonly JobRecord[]> {
    const [open, over] = await Promise.all([readList(JOBS_KEY), readList(OVER_JOBS_KEY)])
    const isOver = ({ id }: JobRecord) => over.some(other => other.id === id)
    return [...open.filter(job => !isOver(job)), ...over].sort((a, b) => b.at - a.at)
  }

  async function readList(key: string): Promise<readonly JobRecord[]> {
    const stored = await local.get(key)
    return Array.isArray(stored) ? (stored as StoredJob[]).map(decodeJob) : []
  }

  /** Bytes first: storage that writes key by key never lists a job without them. */
  async function write(
    jobs: readonly JobRecord[],
    bytes: { [key: string]: JobBytes },
  ): Promise<void> {
    const { [OVER_JOBS_KEY]: over, ...lists } = encodeLists(jobs)
    const before = (await local.get(OVER_JOBS_KEY)) ?? []
    const isSame = JSON.stringify(before) === JSON.stringify(over)
    await local.set({ ...bytes, ...(!isSame && { [OVER_JOBS_KEY]: over }), ...lists })
    onChange()
  }

  async function removeBytes(jobs: readonly JobRecord[]): Promise<void> {
    await local.remove(
      jobs.flatMap(({ id, attempts }) => attempts.map((_, at) => bytesKey(id, at))),
    )
  }
}

export type Jobs = ReturnType<typeof createJobs>

/** Outpoints that transactions of jobs spend which are signed and not in the activity yet. */
export async function listUnrecordedOutpoints({ list }: Pick<Jobs, 'list'>): Promise<string[]> {
  return (await list()).flatMap(({ transactions, recorded }) =>
    transactions.flatMap(({ attempt, spends }) => (attempt >= recorded ? spends : [])),
  )
}

/** What is over first: storage that writes key by key loses no job between the two. */
function encodeLists(jobs: readonly JobRecord[]): { [key: string]: StoredJob[] } {
  const isOver = ({ lifecycle }: JobRecord) => lifecycle === 'over'
  const over = jobs.filter(isOver).slice(0, MAX_OVER)
  const open = jobs.filter(job => !isOver(job))
  return { [OVER_JOBS_KEY]: over.map(encodeJob), [JOBS_KEY]: open.map(encodeJob) }
}

function bytesKey(id: string, attempt: number): string {
  return `job.${id}.${attempt}`
}
