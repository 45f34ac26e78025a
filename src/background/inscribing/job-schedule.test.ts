import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createJobAlarm, WATCH_PERIOD_MS } from './job-alarm.ts'
import type { JobRecord } from './job-record.ts'
import { isDue, isUnderWay } from './job-schedule.ts'
import { createJobs } from './jobs.ts'
import { mintTexts, startJobs, wait } from './testing/job-world.ts'

const BYTES = { inscribing: null, raw: {}, records: [] }

/** A job whose five reveals wait for a block. */
async function waitingJob(): Promise<JobRecord> {
  const { worker } = await startJobs()
  const { jobId } = await mintTexts(worker)
  const job = await worker.wallet.jobs.find(jobId)
  if (!job) throw new Error('No job')
  return job
}

/** Jobs with the alarm that follows them, as background.ts wires it; `log` has what happened, in its order. */
function startWatch() {
  const log: string[] = []
  const set = new Map<string, number>()
  const local = createMemoryArea({}, key => void log.push(`write ${key}`))
  const alarm = createJobAlarm({
    name: 'jobs',
    periodMs: WATCH_PERIOD_MS,
    isNeeded: async () => (await jobs.list()).some(job => isUnderWay(job, Date.now())),
    alarms: {
      get: async name => set.get(name),
      async create(name, { periodInMinutes }) {
        log.push('set')
        set.set(name, periodInMinutes)
      },
      clear: async name => set.delete(name) && void log.push('clear'),
    },
  })
  const following: Promise<void>[] = []
  const onChange = () => void following.push(alarm.follow())
  const jobs = createJobs({ local, guard: alarm.guard, onChange })
  return { log, set, alarm, jobs, settled: () => Promise.all(following) }
}

describe('the alarm of jobs', () => {
  it('is set before a job is stored, at the shortest period of browsers, and cleared when it is over', async () => {
    const { log, set, jobs, settled } = startWatch()
    const job = await waitingJob()
    await jobs.add(job, BYTES)
    await settled()
    expect(log).toEqual(['set', `write job.${job.id}.0`, 'write jobs'])
    expect(set.get('jobs')).toBe(0.5)
    await jobs.update(job.id, one => ({ ...one, checkedAt: 1 }))
    await settled()
    expect(log.filter(entry => entry === 'set')).toHaveLength(1)
    await jobs.update(job.id, one => ({ ...one, lifecycle: 'over' }))
    await settled()
    expect(set.size).toBe(0)
  })

  it('stands after another job ended at the same time', async () => {
    const { set, jobs, settled } = startWatch()
    const job = await waitingJob()
    await jobs.add({ ...job, id: 'old' }, BYTES)
    await Promise.all([
      jobs.update('old', one => ({ ...one, lifecycle: 'over' })),
      jobs.add(job, BYTES),
      jobs.update('old', one => ({ ...one, checkedAt: 2 })),
    ])
    await settled()
    expect(set.size).toBe(1)
  })

  it('is not set where nothing is under way', async () => {
    const { set, alarm } = startWatch()
    await alarm.follow()
    expect(set.size).toBe(0)
  })
})

describe('the pace of a job', () => {
  it('is that of its state: soon while something is to be sent, later once all waits', async () => {
    const job = await waitingJob()
    const at = job.checkedAt
    expect([59_999, 60_000].map(ms => isDue(job, at + ms))).toEqual([false, true])
    const unsent = { ...job, seen: {} }
    expect([14_999, 15_000].map(ms => isDue(unsent, at + ms))).toEqual([false, true])
    expect(isDue({ ...job, lifecycle: 'over' }, at + 1e12)).toBe(false)
  })

  it('does not wait when there is news of the chain, but for news that follow at once', async () => {
    const job = await waitingJob()
    const news = { news: true }
    expect([999, 1000].map(ms => isDue(job, job.checkedAt + ms, news))).toEqual([false, true])
    const done = { ...job, finishedAt: job.checkedAt }
    expect(isDue(done, job.checkedAt + 1000, news)).toBe(false)
  })

  it('of one in a block is slow, and it is watched for six hours, as the block may be undone', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    world.chain.mine()
    await wait(world, worker, jobId)
    const job = await worker.wallet.jobs.find(jobId)
    if (!job) throw new Error('No job')
    const at = world.clock.now
    expect(job.finishedAt).toBe(at)
    const hour = 3_600_000
    expect([14 * 60_000, 15 * 60_000].map(ms => isDue(job, at + ms))).toEqual([false, true])
    expect([6 * hour - 1, 6 * hour].map(ms => isUnderWay(job, at + ms))).toEqual([true, false])
    world.chain.reorg()
    await wait(world, worker, jobId)
    expect((await worker.wallet.jobs.find(jobId))?.finishedAt).toBeNull()
  })
})
