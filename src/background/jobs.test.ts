import { describe, expect, it } from 'vitest'
import { refreshJobs } from './job-run.ts'
import { dieAfter, findCoin, payFromPopup } from './testing/funded-wallet.ts'
import {
  confirm,
  FIVE,
  mintTexts,
  readChain,
  restart,
  startJobs,
  textDraft,
  wait,
} from './testing/job-world.ts'
import { PASSWORD, startWorker } from './testing/test-wallet.ts'

const SORTED = FIVE.toSorted()

describe('a mint of five', () => {
  it('is one commit and five reveals, each text once, and says so', async () => {
    const { world, worker, account, txids } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const { texts, spendersOf, revealOf } = readChain(world)
    expect(texts).toEqual(SORTED)
    const job = await worker.ui('getJob', { jobId })
    expect(spendersOf(`${txids[0]}:0`)).toEqual([job.commit.txid])
    expect(job).toMatchObject({
      state: 'waiting',
      locked: '0',
      problem: null,
      accountId: account.id,
    })
    expect(job.items.map(({ state, inscriptionId }) => [state, inscriptionId])).toEqual(
      FIVE.map(text => ['pending', `${revealOf(text)}i0`]),
    )
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'done',
      can: { resume: false, bump: null, refund: null, discard: false },
    })
    const { activity } = await worker.ui('getOverview', null)
    expect(activity.map(({ kind, status }) => `${kind} ${status}`)).toContain('reveal confirmed')
    const all = await worker.ui('getActivity', { offset: 0, limit: 20 })
    expect(all.entries.filter(({ kind }) => kind === 'commit')).toHaveLength(1)
  })

  it('keeps its inscriptions from being spent as money, confirmed or not', async () => {
    const { world, worker, txids } = await startJobs()
    const { jobId } = await mintTexts(worker, ['one'])
    const [item] = (await worker.ui('getJob', { jobId })).items
    const outpoint = `${item?.inscriptionId.slice(0, 64)}:0`
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'inscribed' })
    expect(await findCoin(worker, `${txids[0]}:0`)).toBeUndefined()
    world.chain.mine()
    // This index has not heard of it: it is not believed, and the coin is held all the same.
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'unknown' })
  })

  it('confirmed twice, at once or later, is one job', async () => {
    const { world, worker } = await startJobs()
    const plan = await worker.ui('planInscribe', textDraft(FIVE))
    const [first, second] = await Promise.all([confirm(worker, plan), confirm(worker, plan)])
    const third = await confirm(restart(world, { keepsSession: true }), plan)
    expect([second, third]).toEqual([first, first])
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('shows each item from what was signed, also while the server is away', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    world.chain.faults.unreachable = true
    expect(await worker.ui('getJobContent', { jobId, item: 2 })).toMatchObject({ text: 'three' })
  })
})

describe('a worker that dies while it mints five', () => {
  const PLACES = 26

  it.each([true, false])(
    'at any write to storage: five are revealed once, or nothing was sent (session kept: %s)',
    async keepsSession => {
      const outcomes = new Set<string>()
      for (let writes = 0; writes < PLACES; writes += keepsSession ? 1 : 2) {
        const { world, worker, txids } = await startJobs()
        const plan = await worker.ui('planInscribe', textDraft(FIVE))
        const dying = dieAfter(world, writes)
        const attempt = confirm(startWorker(dying), plan).then(() => 'lived')
        await Promise.race([dying.died, attempt])
        const sent = world.chain.broadcasts.length
        const next = restart(world, { keepsSession })
        await refreshJobs(next.wallet)
        const { texts, spendersOf } = readChain(world)
        const isStored = (await next.wallet.jobs.list()).length === 1
        outcomes.add(isStored ? 'stored' : 'nothing')
        if (!isStored) expect(sent).toBe(0)
        expect(texts).toEqual(isStored ? SORTED : [])
        expect(spendersOf(`${txids[0]}:0`)).toHaveLength(isStored ? 1 : 0)
        if (!keepsSession) continue
        await confirm(next, plan)
        expect(readChain(world).texts).toEqual(SORTED)
        expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
      }
      expect(outcomes).toEqual(new Set(['nothing', 'stored']))
    },
    120_000,
  )

  it.each(['before', 'after'] as const)(
    '%s any of its six broadcasts: five are revealed once, without an unlocked wallet',
    async moment => {
      for (let count = 1; count <= 6; count++) {
        const { world, worker, gate, txids } = await startJobs()
        let seen = 0
        const { promise: died, resolve: die } = defer()
        gate.watch = async at => {
          if (at !== moment || ++seen !== count) return
          die()
          await new Promise<never>(() => {})
        }
        void mintTexts(worker)
        await died
        gate.watch = async () => {}
        const next = restart(world, { keepsSession: false })
        expect((await next.ui('getState', null)).vault).toBe('locked')
        await refreshJobs(next.wallet)
        expect(readChain(world).texts).toEqual(SORTED)
        expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
        await next.ui('unlock', { password: PASSWORD })
        await next.ui('selectNetwork', { network: 'regtest' })
        const [job] = await next.ui('getJobs', null)
        expect(job).toMatchObject({ state: 'waiting', problem: null })
      }
    },
    60_000,
  )

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

function defer() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
