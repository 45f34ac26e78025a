import { describe, expect, it } from 'vitest'
import { crashAfter, createMemoryArea } from '../../storage/testing/memory-area.ts'
import type { JobRecord } from './job-record.ts'
import { createJobs } from './jobs.ts'

const BYTES = { inscribing: null, raw: {}, records: [] }

const jobOf = (id: string, at: number, patch: Partial<JobRecord> = {}): JobRecord => ({
  id,
  at,
  ...{ network: 'regtest', accountId: 'a', address: 'bcrt1qown', origin: null, label: '' },
  ...{ postage: '546', items: [], etching: null, delivery: null, commitTxid: id },
  ...{ revealTxids: [], transactions: [], attempts: [id], recorded: 0, seen: {}, refused: {} },
  ...{ wasAccepted: false, conflict: null, problem: null, checkedAt: 0, finishedAt: null },
  lifecycle: 'open',
  ...patch,
})

/** Jobs in a storage whose writes are counted by key. */
function openJobs(entries: { [key: string]: unknown } = {}) {
  const written: string[] = []
  let beforeWrite: (key: string) => void = () => {}
  const local = createMemoryArea(entries, key => {
    beforeWrite(key)
    written.push(key)
  })
  const jobs = createJobs({ local, onChange() {} })
  const dieAfter = (writes: number) => {
    beforeWrite = crashAfter(writes)
  }
  return { local, jobs, written, dieAfter }
}

const end = (job: JobRecord): JobRecord => ({ ...job, lifecycle: 'over' })
const idsOf = (jobs: readonly JobRecord[]) => jobs.map(({ id }) => id)

describe('stored jobs', () => {
  it('that are over are not written again with every step of another', async () => {
    const { local, jobs, written } = openJobs()
    for (let at = 0; at < 30; at++) {
      await jobs.add(jobOf(`old ${at}`, at), BYTES)
      await jobs.update(`old ${at}`, end)
    }
    await jobs.add(jobOf('new', 30), BYTES)
    written.length = 0
    for (let step = 1; step <= 5; step++)
      await jobs.update('new', job => ({ ...job, checkedAt: step }))
    expect(written).toEqual(Array(5).fill('jobs'))
    expect(JSON.stringify(local.dump().jobs)).not.toContain('old')
    expect(await jobs.list()).toHaveLength(31)
  })

  it('are listed newest first, over or not, and the oldest that are over fall out after a hundred', async () => {
    const { jobs } = openJobs()
    for (let at = 0; at < 104; at++) {
      await jobs.add(jobOf(`${at}`, at), BYTES)
      if (at !== 50) await jobs.update(`${at}`, end)
    }
    const left = Array.from({ length: 104 }, (_, at) => `${at}`).slice(3)
    expect(idsOf(await jobs.list())).toEqual(left.toReversed())
  })

  it('that an earlier version kept in one list are all there, and go apart with the next write', async () => {
    const { jobs, local } = openJobs()
    await jobs.add(jobOf('one', 1), BYTES)
    await jobs.add(jobOf('two', 2), BYTES)
    await jobs.update('one', end)
    const { jobs: open, 'jobs.over': over } = local.dump()
    const before = [...(open as object[]), ...(over as object[])]
    const { jobs: next, local: upgraded } = openJobs({ jobs: before })
    expect(idsOf(await next.list())).toEqual(['two', 'one'])
    await next.add(jobOf('three', 3), BYTES)
    expect(idsOf(await next.list())).toEqual(['three', 'two', 'one'])
    expect(JSON.stringify(upgraded.dump()['jobs.over'])).toContain('one')
    expect(JSON.stringify(upgraded.dump().jobs)).not.toContain('one')
  })

  it.each([0, 1, 2])(
    'are there once, where a worker dies after %i writes of an end',
    async writes => {
      const { local, jobs, dieAfter } = openJobs()
      await jobs.add(jobOf('one', 1), BYTES)
      await jobs.add(jobOf('two', 2), BYTES)
      dieAfter(writes)
      await jobs.update('one', end).catch(() => {})
      const next = createJobs({ local: createMemoryArea(local.dump()), onChange() {} })
      expect(idsOf(await next.list())).toEqual(['two', 'one'])
      expect((await next.find('one'))?.lifecycle).toBe(writes === 0 ? 'open' : 'over')
      await next.update('one', end)
      await next.forgetAccount('a')
      expect(idsOf(await next.list())).toEqual(['two'])
    },
  )
})
