import { describe, expect, it } from 'vitest'
import type { Worker } from '../testing/test-wallet.ts'
import { startNotified } from './testing/notified-wallet.ts'

const DRAFT = {
  ...{ items: [{ kind: 'text' as const, text: 'one' }], postage: 546, feeRate: 5 },
  ...{ parent: null, metadata: null, label: 'A label of the person' },
}
const DONE = 'Regtest: Inscribing is done | All of it is in blocks.'
const STUCK = 'Regtest: Inscribing is stuck | It does not go on by itself. Press to see why.'

async function inscribe(worker: Worker): Promise<string> {
  const { planId, digest } = await worker.ui('planInscribe', DRAFT)
  return (await worker.ui('confirmInscribe', { planId, digest })).jobId
}

async function startJobs() {
  const started = await startNotified()
  const { world, worker } = started
  const log = () => world.notifications.log.map(({ title, message }) => `${title} | ${message}`)
  /** The alarm of jobs, minutes later. */
  const follow = async (minutes = 2) => {
    world.clock.now += minutes * 60_000
    await worker.wallet.followJobs()
  }
  return { ...started, log, follow }
}

describe('a job', () => {
  it('is told of once, when all of it is in blocks, and not its transactions besides', async () => {
    const { world, worker, wake, log, follow } = await startJobs()
    const jobId = await inscribe(worker)
    await follow()
    expect(log()).toEqual([])
    world.chain.mine()
    await follow()
    await wake(worker)
    expect(log()).toEqual([DONE])
    expect(world.notifications.log[0]?.id).toContain(`/inscribe/jobs/${jobId} `)
    expect(JSON.stringify(world.notifications.log)).not.toContain('label')
    world.chain.reorg()
    await follow(16)
    world.chain.mine()
    await follow(16)
    expect(log(), 'its blocks were undone').toEqual([DONE])
  })

  it('is told of where it is stuck, but not in the minute in which the screen says so', async () => {
    const { world, worker, log, follow } = await startJobs()
    world.chain.faults.refuse = 'mempool full'
    await inscribe(worker)
    await follow(0.5)
    expect(log()).toEqual([])
    await follow()
    expect(log()).toEqual([STUCK])
    await follow()
    await follow()
    expect(log(), 'it stays stuck').toEqual([STUCK])
    delete world.chain.faults.refuse
    const [job] = await worker.ui('getJobs', null)
    await worker.ui('resumeJob', { jobId: job?.id ?? '' })
    world.chain.mine()
    await follow()
    expect(log()).toEqual([STUCK, DONE])
  })

  it('is not told of where the person gave it up', async () => {
    const { world, worker, log, follow } = await startJobs()
    world.chain.faults.refuse = 'mempool full'
    const jobId = await inscribe(worker)
    await worker.ui('discardJob', { jobId })
    delete world.chain.faults.refuse
    await follow()
    expect(log()).toEqual([])
  })

  it('is told of with others in one notification, and not at all where that is off', async () => {
    const { world, worker, log, follow } = await startJobs()
    await inscribe(worker)
    world.chain.mine()
    await inscribe(worker)
    world.chain.mine()
    await follow()
    expect(log()).toEqual(['Regtest: News of 2 jobs | Press to see them.'])
    await worker.ui('setNotifications', { jobs: false })
    await inscribe(worker)
    world.chain.mine()
    await follow()
    expect(log()).toHaveLength(1)
  })
})
