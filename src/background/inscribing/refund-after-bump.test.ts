import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { inHurry } from '../testing/fast-timers.ts'
import type { Worker } from '../testing/test-wallet.ts'
import { refreshJobs } from './job-run.ts'
import { listDelivered, sendTokens, startHolding } from './testing/delivery-world.ts'
import {
  bump,
  confirm,
  type Gate,
  mintTexts,
  readChain,
  refund,
  startJobs,
  wait,
} from './testing/job-world.ts'

/** Pays more for a job while no broadcast arrives, and works out how to take its money back; what was signed for the bump's commit. */
async function bumpInVain({ worker, gate }: { worker: Worker; gate: Gate }, jobId: string) {
  gate.lose = () => 'before'
  await withoutPauses(() => bump(worker, jobId, 40))
  const { can } = await withoutPauses(() => worker.ui('getJob', { jobId }))
  const feeRate = can.refund?.leastFeeRate ?? 0
  const plan = await worker.ui('planJobRefund', { jobId, feeRate })
  const job = await worker.wallet.jobs.find(jobId)
  const bytes = job && (await worker.wallet.jobs.loadBytes(job, 1))
  const commit = job?.transactions.find(({ kind, attempt }) => kind === 'commit' && attempt === 1)
  return { plan, commit: fromHex(bytes?.raw[commit?.txid ?? ''] ?? '') }
}

/** Broadcasts that do not arrive are tried again without waiting. */
const withoutPauses = <T>(work: () => Promise<T>) => inHurry(work, 0.5)

describe('a refund that is asked for after a bump of the commit which did not arrive', () => {
  it('brings the money back, and the bump never goes out', async () => {
    const { world, worker, gate, txids } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const { plan } = await bumpInVain({ worker, gate }, jobId)
    gate.lose = () => null
    await confirm(worker, plan)
    const { commit } = await worker.ui('getJob', { jobId })
    expect(readChain(world).texts).toEqual([])
    expect(await worker.ui('getJob', { jobId })).toMatchObject({
      ...{ state: 'refunding', problem: null, commit: { txid: commit.txid } },
    })
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
    expect(readChain(world).texts).toEqual([])
    expect(readChain(world).spendersOf(`${txids[0]}:0`)).toEqual([commit.txid])
  })

  it('keeps tokens that were to be delivered', async () => {
    const started = await startHolding()
    const { world, worker, gate } = started
    const { jobId } = await sendTokens(worker)
    const { plan } = await bumpInVain(started, jobId)
    gate.lose = () => null
    await confirm(worker, plan)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded' })
    expect(listDelivered(started)).toEqual([])
  })

  it('goes out again with its own commit when the network loses both', async () => {
    const { world, worker, gate } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const { plan } = await bumpInVain({ worker, gate }, jobId)
    gate.lose = () => null
    await confirm(worker, plan)
    const { commit } = await worker.ui('getJob', { jobId })
    world.chain.evict(commit.txid)
    await wait(world, worker, jobId)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'refunded', commit: { txid: commit.txid } },
    })
    expect(readChain(world).texts).toEqual([])
  })
})

describe('a bump of the commit that arrives after its money was taken back', () => {
  it('reveals nothing, is told, and its own money can be taken back', async () => {
    const { world, worker, gate, txids } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const { plan, commit } = await bumpInVain({ worker, gate }, jobId)
    await withoutPauses(() => confirm(worker, plan))
    const late = world.chain.receive(commit)
    gate.lose = () => null
    world.clock.now += 60_000
    await refreshJobs(worker.wallet)
    const job = await wait(world, worker, jobId)
    expect(readChain(world).texts).toEqual([])
    expect(job).toMatchObject({
      ...{ state: 'stuck', commit: { txid: late }, problem: { kind: 'refused' } },
      can: { bump: null, refund: { leastFeeRate: 1 } },
    })
    expect(Number(job.locked)).toBeGreaterThan(5 * 546)
    await worker.ui('resumeJob', { jobId })
    expect(readChain(world).texts).toEqual([])
    await refund(worker, jobId, 2)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'refunded', locked: '0', problem: null },
    })
    expect(readChain(world).texts).toEqual([])
    expect(readChain(world).spendersOf(`${txids[0]}:0`)).toEqual([late])
  })

  it('ends a refund that was worked out before and not confirmed yet', async () => {
    const { world, worker, gate } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const { plan, commit } = await bumpInVain({ worker, gate }, jobId)
    world.chain.receive(commit)
    await withoutPauses(() => wait(world, worker, jobId))
    await expect(confirm(worker, plan)).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    expect((await worker.wallet.jobs.find(jobId))?.attempts).toHaveLength(2)
  })

  it('delivers no tokens, though a block has what it reveals', async () => {
    const started = await startHolding()
    const { world, worker, gate } = started
    const { jobId } = await sendTokens(worker)
    const { plan, commit } = await bumpInVain(started, jobId)
    const job = await worker.wallet.jobs.find(jobId)
    const bytes = job && (await worker.wallet.jobs.loadBytes(job, 1))
    const reveal = job?.transactions.find(one => one.kind === 'reveal' && one.attempt === 1)
    await withoutPauses(() => confirm(worker, plan))
    world.chain.add(commit)
    world.chain.add(fromHex(bytes?.raw[reveal?.txid ?? ''] ?? ''))
    gate.lose = () => null
    await wait(world, worker, jobId)
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'done', problem: null, delivery: { state: 'kept' } },
    })
    expect(listDelivered(started)).toEqual([])
  })
})
