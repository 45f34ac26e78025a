import { describe, expect, it } from 'vitest'
import { defer, outputsOf, RECIPIENT, readBroadcast } from '../testing/funded-wallet.ts'
import { credit, listDelivered, sendDraft, sendTokens } from './testing/delivery-world.ts'
import { dieAtEachWrite, wake } from './testing/dying-jobs.ts'
import { bump, confirm, readChain, refund, startJobs, wait } from './testing/job-world.ts'

const DELIVERED = [{ address: RECIPIENT, sats: 546n }]

describe('a worker that dies while it sends tokens', () => {
  it.each([true, false])(
    'at any write: they are delivered once, or nothing was sent (session kept: %s)',
    async keepsSession => {
      const outcomes = new Set<string>()
      const deaths = await dieAtEachWrite(
        started => {
          credit(started)
          return started.worker.ui('planBrc20Send', sendDraft())
        },
        confirm,
        async ({ world, txids }, plan, sent) => {
          const next = await wake(world, { keepsSession })
          const isStored = (await next.wallet.jobs.list()).length === 1
          outcomes.add(isStored ? 'stored' : 'nothing')
          if (!isStored) expect(sent).toBe(0)
          expect(listDelivered({ world })).toHaveLength(isStored ? 1 : 0)
          if (keepsSession) await confirm(next, plan)
          const [delivery] = listDelivered({ world })
          if (delivery) expect(outputsOf(readBroadcast(world, delivery))).toEqual(DELIVERED)
          const isSent = isStored || keepsSession
          expect(listDelivered({ world })).toHaveLength(isSent ? 1 : 0)
          expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(isSent ? 1 : 0)
        },
      )
      expect(outcomes).toEqual(new Set(['nothing', 'stored']))
      expect(new Set(deaths)).toEqual(new Set([0, 1, 2, 3]))
    },
    120_000,
  )

  it('before and after any of its three broadcasts: they are delivered once, without an unlocked wallet', async () => {
    for (const moment of ['before', 'after'] as const)
      for (let count = 1; count <= 3; count++) {
        const started = await startJobs()
        credit(started)
        const { world, worker, gate, txids } = started
        let seen = 0
        const { promise: died, resolve: die } = defer<string>()
        gate.watch = async (at, txid) => {
          if (at !== moment || ++seen !== count) return
          die(txid)
          await new Promise<never>(() => {})
        }
        void sendTokens(worker)
        await died
        expect(world.chain.broadcasts).toHaveLength(moment === 'before' ? count - 1 : count)
        gate.watch = async () => {}
        const next = await wake(world, { keepsSession: false })
        expect((await next.ui('getState', null)).vault).toBe('locked')
        expect(listDelivered({ world })).toHaveLength(1)
        expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
        const [job] = await next.wallet.jobs.list()
        expect(job?.problem).toBeNull()
      }
  }, 120_000)

  it('pays more, at any write: they are delivered once, at the earlier fee or the later', async () => {
    const rates = new Set<number>()
    await dieAtEachWrite(
      async started => {
        credit(started)
        return (await sendTokens(started.worker)).jobId
      },
      (worker, jobId) => bump(worker, jobId, 40),
      async ({ world, txids }, jobId) => {
        const next = await wake(world, { keepsSession: true })
        expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
        world.chain.mine()
        const job = await wait(world, next, jobId)
        expect(job).toMatchObject({ state: 'done', problem: null, locked: '0' })
        const [delivery = '', ...others] = listDelivered({ world })
        expect(others).toEqual([])
        expect(outputsOf(readBroadcast(world, delivery))).toEqual(DELIVERED)
        rates.add(job.commit.feeRate)
      },
    )
    expect(rates).toEqual(new Set([5, 40]))
  }, 120_000)

  it('takes the money back, at any write: they are delivered, or all of it comes home', async () => {
    const ends = new Set<string>()
    await dieAtEachWrite(
      async started => {
        credit(started)
        return (await sendTokens(started.worker)).jobId
      },
      async (worker, jobId) => {
        const { can } = await worker.ui('getJob', { jobId })
        await refund(worker, jobId, can.refund?.leastFeeRate ?? 0)
      },
      async ({ world }, jobId) => {
        const next = await wake(world, { keepsSession: true })
        world.chain.mine()
        const { state, locked } = await wait(world, next, jobId)
        expect(locked).toBe('0')
        expect(listDelivered({ world })).toHaveLength(state === 'done' ? 1 : 0)
        ends.add(state)
      },
    )
    expect(ends).toEqual(new Set(['done', 'refunded']))
  }, 120_000)
})
