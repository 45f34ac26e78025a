import { describe, expect, it } from 'vitest'
import { defer, dieAfter, findCoin, payFromPopup } from '../testing/funded-wallet.ts'
import { PASSWORD, startWorker, type World } from '../testing/test-wallet.ts'
import { refreshJobs } from './job-run.ts'
import { dieAtEachWrite, wake } from './testing/dying-jobs.ts'
import {
  bump,
  confirm,
  FIVE,
  mintTexts,
  readChain,
  refund,
  restart,
  startJobs,
  textDraft,
  wait,
} from './testing/job-world.ts'

const SORTED = FIVE.toSorted()

describe('a worker that dies while it mints five', () => {
  it.each([true, false])(
    'at any write to storage: five are revealed once, or nothing was sent (session kept: %s)',
    async keepsSession => {
      const outcomes = new Set<string>()
      const deaths = await dieAtEachWrite(
        ({ worker }) => worker.ui('planInscribe', textDraft(FIVE)),
        confirm,
        async ({ world, txids }, plan, sent) => {
          const next = await wake(world, { keepsSession })
          const isStored = (await next.wallet.jobs.list()).length === 1
          outcomes.add(isStored ? 'stored' : 'nothing')
          if (!isStored) expect(sent).toBe(0)
          expect(readChain(world).texts).toEqual(isStored ? SORTED : [])
          expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(isStored ? 1 : 0)
          if (!keepsSession) return
          await confirm(next, plan)
          expect(readChain(world).texts).toEqual(SORTED)
          expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
        },
      )
      expect(outcomes).toEqual(new Set(['nothing', 'stored']))
      // With none of the six sent, with the commit, and with the reveals, which go together.
      expect(new Set(deaths)).toEqual(new Set([0, 1, 6]))
      expect(deaths.length).toBeGreaterThanOrEqual(8)
    },
    120_000,
  )

  it('before and after any of its six broadcasts: five are revealed once, without an unlocked wallet', async () => {
    const points = new Set<string>()
    const numbers = new Set<number>()
    for (const moment of ['before', 'after'] as const)
      for (let count = 1; count <= 6; count++) {
        const { world, worker, gate, txids } = await startJobs()
        let seen = 0
        const { promise: died, resolve: die } = defer<string>()
        let isDead = false
        gate.watch = async (at, txid) => {
          if (!isDead && (at !== moment || ++seen !== count)) return
          isDead = true
          die(txid)
          await new Promise<never>(() => {})
        }
        void mintTexts(worker)
        const txid = await died
        // What was on its way before arrives.
        await new Promise(resolve => setTimeout(resolve, 5))
        expect(world.chain.broadcasts.includes(txid)).toBe(moment === 'after')
        numbers.add(world.chain.broadcasts.length)
        points.add(`${moment} ${count}`)
        gate.watch = async () => {}
        const next = await wake(world, { keepsSession: false })
        expect((await next.ui('getState', null)).vault).toBe('locked')
        expect(readChain(world).texts).toEqual(SORTED)
        expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
        await next.ui('unlock', { password: PASSWORD })
        await next.ui('selectNetwork', { network: 'regtest' })
        const [job] = await next.ui('getJobs', null)
        expect(job).toMatchObject({ state: 'waiting', problem: null })
      }
    expect(points.size).toBe(12)
    expect([...numbers].sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('keeps its coins reserved when it dies before they are on record', async () => {
    const { world, worker, txids } = await startJobs(50_000n)
    const plan = await worker.ui('planInscribe', textDraft(['one']))
    // The job is stored with the first write to local storage; its records would come next.
    const dying = dieAfter(world, 2)
    void confirm(startWorker(dying), plan)
    await dying.died
    const next = restart(world, { keepsSession: true })
    expect((await next.wallet.jobs.list())[0]).toMatchObject({ recorded: 0 })
    expect(await findCoin(next, `${txids[0]}:0`)).toMatchObject({ held: 'reserved' })
    await expect(payFromPopup(next)).rejects.toMatchObject({ data: { reason: 'COINS_HELD' } })
  })
})

describe('a worker that dies while it', () => {
  it('pays more, at any write: one commit reveals five, the earlier one or the later', async () => {
    const rates = new Set<number>()
    const deaths = await dieAtEachWrite(
      async ({ worker }) => (await mintTexts(worker)).jobId,
      (worker, jobId) => bump(worker, jobId, 40),
      async ({ world, txids }, jobId) => {
        const next = await wake(world, { keepsSession: true })
        expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
        world.chain.mine()
        const job = await wait(world, next, jobId)
        expect(job).toMatchObject({ state: 'done', problem: null, locked: '0' })
        expect(readChain(world).texts).toEqual(SORTED)
        rates.add(job.commit.feeRate)
      },
    )
    expect(rates).toEqual(new Set([5, 40]))
    expect(new Set(deaths)).toEqual(new Set([0, 1, 6]))
  }, 120_000)

  it('takes the money back, at any write: five are revealed, or all of it comes home', async () => {
    const ends = new Set<string>()
    await dieAtEachWrite(
      async ({ worker }) => (await mintTexts(worker)).jobId,
      async (worker, jobId) => {
        const { can } = await worker.ui('getJob', { jobId })
        await refund(worker, jobId, can.refund?.leastFeeRate ?? 0)
      },
      async ({ world }, jobId) => {
        const next = await wake(world, { keepsSession: true })
        world.chain.mine()
        const { state, locked } = await wait(world, next, jobId)
        expect(locked).toBe('0')
        expect(readChain(world).texts).toEqual(state === 'done' ? SORTED : [])
        ends.add(state)
      },
    )
    expect(ends).toEqual(new Set(['done', 'refunded']))
  }, 120_000)
})

describe('storage that is full from some write on', () => {
  it('stops a mint, which goes on once there is room: five are revealed once', async () => {
    const outcomes = new Set<string>()
    let refusals = 0
    for (let writes = 0; ; writes++) {
      const { world, worker, txids } = await startJobs()
      const plan = await worker.ui('planInscribe', textDraft(FIVE))
      const room = { left: writes }
      const cramped = startWorker(withRoom(world, room))
      const lived = await confirm(cramped, plan).then(
        () => true,
        () => false,
      )
      if (lived) break
      refusals++
      const sent = world.chain.broadcasts.length
      room.left = Number.POSITIVE_INFINITY
      world.clock.now += 60_000
      await refreshJobs(cramped.wallet)
      const isStored = (await cramped.wallet.jobs.list()).length === 1
      outcomes.add(isStored ? 'stored' : 'nothing')
      if (!isStored) expect(sent).toBe(0)
      expect(readChain(world).texts).toEqual(isStored ? SORTED : [])
      await confirm(cramped, plan)
      expect(readChain(world).texts).toEqual(SORTED)
      expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
    }
    expect(outcomes).toEqual(new Set(['nothing', 'stored']))
    expect(refusals).toBeGreaterThanOrEqual(8)
  })
})

/** The world with storage that takes so many more writes. */
function withRoom(world: World, room: { left: number }): World {
  const limit = (area: World['local']): World['local'] => ({
    ...area,
    async set(entries) {
      if (room.left-- <= 0) throw new Error('QuotaExceededError')
      await area.set(entries)
    },
  })
  return { ...world, local: limit(world.local), session: limit(world.session) }
}
