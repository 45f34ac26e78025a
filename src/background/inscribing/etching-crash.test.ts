import { describe, expect, it } from 'vitest'
import { dieAtEachWrite, wake } from './testing/dying-jobs.ts'
import { etch, etchingDraft, listEtchings, MATURITY } from './testing/etching-world.ts'
import { bump, confirm, readChain, refund, wait } from './testing/job-world.ts'

describe('a worker that dies while it etches', () => {
  it.each([true, false])(
    'at any write of the approval: the rune is etched once, or nothing was sent (session kept: %s)',
    async keepsSession => {
      const outcomes = new Set<string>()
      await dieAtEachWrite(
        ({ worker }) => worker.ui('planRuneEtching', etchingDraft()),
        confirm,
        async ({ world, txids }, plan, sent) => {
          const next = await wake(world, { keepsSession })
          const isStored = (await next.wallet.jobs.list()).length === 1
          outcomes.add(isStored ? 'stored' : 'nothing')
          if (!isStored) expect(sent).toBe(0)
          if (keepsSession) await confirm(next, plan)
          world.chain.mine(MATURITY)
          const last = await wake(world, { keepsSession: false })
          const isEtched = isStored || keepsSession
          expect(listEtchings(world)).toHaveLength(isEtched ? 1 : 0)
          expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(isEtched ? 1 : 0)
          expect((await last.wallet.jobs.list()).map(({ problem }) => problem)).toEqual(
            isEtched ? [null] : [],
          )
        },
      )
      expect(outcomes).toEqual(new Set(['nothing', 'stored']))
    },
    120_000,
  )

  it('at any write when the commit is old enough: the rune is etched once', async () => {
    const deaths = await dieAtEachWrite(
      async ({ world, worker }) => {
        const { jobId } = await etch(worker)
        world.chain.mine(MATURITY)
        return jobId
      },
      (worker, jobId) => worker.ui('resumeJob', { jobId }),
      async ({ world }) => {
        await wake(world, { keepsSession: false })
        expect(listEtchings(world)).toHaveLength(1)
        world.chain.mine()
        const { wallet } = await wake(world, { keepsSession: false })
        const [job] = await wallet.jobs.list()
        expect(job).toMatchObject({ problem: null, finishedAt: expect.any(Number) })
      },
    )
    // With the reveal not sent, and sent.
    expect(new Set(deaths)).toEqual(new Set([0, 1]))
  }, 120_000)

  it('at any write of a bump or a refund: the rune is etched once, or all of its money is back', async () => {
    for (const act of [bump, refund])
      await dieAtEachWrite(
        async ({ world, worker }) => {
          const { jobId } = await etch(worker)
          world.chain.mine(2)
          await wait(world, worker, jobId)
          return jobId
        },
        (worker, jobId) => act(worker, jobId, 8),
        async ({ world }) => {
          await wake(world, { keepsSession: false })
          world.chain.mine(MATURITY)
          await wake(world, { keepsSession: false })
          world.chain.mine()
          const { wallet } = await wake(world, { keepsSession: false })
          const [job] = await wallet.jobs.list()
          const commit = job?.commitTxid ?? ''
          const isBack = job?.transactions.some(
            ({ kind, txid }) => kind === 'refund' && world.chain.heightOf(txid) !== null,
          )
          expect(listEtchings(world)).toHaveLength(isBack ? 0 : 1)
          expect(readChain(world).spendersOf(`${commit}:0`)).toHaveLength(1)
          expect(job).toMatchObject({ problem: null })
        },
      )
  }, 240_000)
})
