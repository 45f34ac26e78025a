import { describe, expect, it, vi } from 'vitest'
import { findCoin } from '../testing/funded-wallet.ts'
import { refreshJobs, runJob } from './job-run.ts'
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

  it('hands over the commit, then a reveal, then the others four at a time', async () => {
    const { world, worker, gate } = await startJobs()
    const texts = Array.from({ length: 12 }, (_, at) => `number ${at}`)
    const underWay = new Set<string>()
    const together: number[] = []
    gate.watch = async (moment, txid) => {
      if (moment === 'after') return void underWay.delete(txid)
      underWay.add(txid)
      together.push(underWay.size)
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    await mintTexts(worker, texts)
    expect(together.slice(0, 2)).toEqual([1, 1])
    expect(Math.max(...together)).toBe(4)
    expect(world.chain.broadcasts).toHaveLength(13)
    expect(readChain(world).texts).toEqual(texts.toSorted())
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

  it('asked for and looked at many times at once is handed over once', async () => {
    const { world, worker, gate } = await startJobs()
    gate.lose = () => 'before'
    const { jobId } = await mintTexts(worker)
    const handed: string[] = []
    gate.lose = () => null
    gate.watch = async (moment, txid) => void (moment === 'after' && handed.push(txid))
    world.clock.now += 60_000
    const { wallet } = worker
    const { chain } = world.chain
    const fetchTip = vi.spyOn(chain, 'fetchTip')
    await Promise.all([
      runJob(wallet, jobId),
      refreshJobs(wallet),
      runJob(wallet, jobId),
      refreshJobs(wallet),
      worker.ui('resumeJob', { jobId }),
    ])
    // Whoever asks has it looked at; an alarm that comes too early does not.
    expect(fetchTip).toHaveBeenCalledTimes(3)
    expect(handed).toHaveLength(6)
    expect(new Set(handed).size).toBe(6)
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('shows each item from what was signed, also while the server is away', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    world.chain.faults.unreachable = true
    expect(await worker.ui('getJobContent', { jobId, item: 2 })).toMatchObject({ text: 'three' })
  })
})
