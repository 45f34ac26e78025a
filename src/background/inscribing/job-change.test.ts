import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { defer, payFromPopup } from '../testing/funded-wallet.ts'
import type { Worker } from '../testing/test-wallet.ts'
import {
  bump,
  confirm,
  FIVE,
  mintTexts,
  readChain,
  refund,
  restart,
  startJobs,
  wait,
} from './testing/job-world.ts'

const SORTED = FIVE.toSorted()

async function balanceOf(worker: Worker): Promise<number> {
  const coins = await worker.ui('getCoins', null)
  return coins.filter(({ held }) => held === null).reduce((sum, { sats }) => sum + Number(sats), 0)
}

describe('a bump', () => {
  it('of a commit that waits replaces all of it, at a fee above all that it drives out', async () => {
    const { world, worker, txids } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const before = await worker.ui('getJob', { jobId })
    await expect(worker.ui('planJobBump', { jobId, feeRate: 5 })).rejects.toMatchObject({
      code: -32602,
    })
    const review = await bump(worker, jobId, 40)
    const after = await worker.ui('getJob', { jobId })
    expect(after).toMatchObject({ state: 'waiting', problem: null, commit: { feeRate: 40 } })
    expect(after.commit.txid).not.toBe(before.commit.txid)
    expect(Number(review.previousFee)).toBeLessThan(Number(review.totalFee))
    expect(readChain(world).texts).toEqual(SORTED)
    expect(readChain(world).spendersOf(`${txids[0]}:0`)).toEqual([after.commit.txid])
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 50 })
    const statuses = entries
      .filter(({ kind }) => kind === 'commit')
      .map(({ txid, status }) => [txid, status])
    expect(statuses).toContainEqual([before.commit.txid, 'replaced'])
    expect(statuses).toContainEqual([after.commit.txid, 'pending'])
  })

  it('that loses against the commit before it, which a block has, reveals that one', async () => {
    const { world, worker, gate } = await startJobs()
    let first: Uint8Array | null = null
    const { chain } = world.chain
    const broadcast = chain.broadcast.bind(chain)
    chain.broadcast = async rawTx => {
      first ??= rawTx
      return broadcast(rawTx)
    }
    gate.refuse = () => null
    const { jobId } = await mintTexts(worker)
    const before = await worker.ui('getJob', { jobId })
    await bump(worker, jobId, 40)
    world.chain.add(first ?? new Uint8Array())
    const job = await wait(world, worker, jobId)
    expect(job.commit).toMatchObject({ txid: before.commit.txid, confirmed: true })
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('of reveals hands over none at its old fee, though each takes the change of the one before', async () => {
    const { world, worker, gate } = await startJobs(60_000n, 80_000n)
    gate.refuse = () => 'mempool min fee not met'
    const { jobId } = await mintTexts(worker)
    const job = await worker.wallet.jobs.find(jobId)
    const bytes = job && (await worker.wallet.jobs.loadBytes(job, 0))
    world.chain.add(fromHex(bytes?.raw[job?.commitTxid ?? ''] ?? ''))
    gate.refuse = () => null
    const handed: string[] = []
    gate.watch = async (moment, txid) => {
      if (moment === 'before') handed.push(txid)
    }
    await bump(worker, jobId, 20)
    expect(new Set(handed).size).toBe(5)
    expect(handed).toHaveLength(5)
    expect(job?.revealTxids.filter(txid => handed.includes(txid))).toEqual([])
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('that the node refuses leaves the commit before it, and says why', async () => {
    const { world, worker, gate, txids } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const before = await worker.ui('getJob', { jobId })
    gate.refuse = () => 'insufficient fee, rejecting replacement'
    await bump(worker, jobId, 40)
    gate.refuse = () => null
    const job = await wait(world, worker, jobId)
    expect(job).toMatchObject({
      commit: { txid: before.commit.txid },
      problem: { kind: 'refused', detail: 'insufficient fee, rejecting replacement' },
    })
    expect(readChain(world).spendersOf(`${txids[0]}:0`)).toEqual([before.commit.txid])
    await bump(worker, jobId, 60)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'done',
      commit: { feeRate: 60 },
    })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('confirmed again, and in a worker after a crash, is signed once', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const plan = await worker.ui('planJobBump', { jobId, feeRate: 40 })
    await Promise.all([confirm(worker, plan), confirm(worker, plan)])
    await confirm(restart(world, { keepsSession: true }), plan)
    expect((await worker.wallet.jobs.find(jobId))?.attempts).toHaveLength(2)
  })

  it('is refused while a later payment spends the change', async () => {
    const { worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    await payFromPopup(worker)
    await expect(worker.ui('planJobBump', { jobId, feeRate: 40 })).rejects.toMatchObject({
      data: { reason: 'BUMP_IMPOSSIBLE', why: 'HAS_CHILDREN' },
    })
  })
})

describe('a refund', () => {
  it('asked for while a reveal is on its way comes after it, and drives it out', async () => {
    const { world, worker, gate } = await startJobs()
    const { promise: reached, resolve: reach } = defer()
    const { promise: released, resolve: release } = defer()
    let handed = 0
    gate.watch = async moment => {
      if (moment !== 'before' || ++handed !== 2) return
      reach()
      await released
    }
    const minting = mintTexts(worker)
    await reached
    const [job] = await worker.wallet.jobs.list()
    const jobId = job?.id ?? ''
    const taking = refund(worker, jobId, 6)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(world.chain.broadcasts).toHaveLength(1)
    release()
    await Promise.all([minting, taking])
    expect(readChain(world).texts).toEqual([])
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
  })

  it('worked out before the job was fee-bumped is outdated, and so is the other way round', async () => {
    const { worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const leastRefund = async () =>
      (await worker.ui('getJob', { jobId })).can.refund?.leastFeeRate ?? 0
    const back = await worker.ui('planJobRefund', { jobId, feeRate: await leastRefund() })
    await bump(worker, jobId, 10)
    await expect(confirm(worker, back)).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    const more = await worker.ui('planJobBump', { jobId, feeRate: 30 })
    await refund(worker, jobId, await leastRefund())
    await expect(confirm(worker, more)).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    expect((await worker.wallet.jobs.find(jobId))?.attempts).toHaveLength(3)
  })

  it('of a commit that waits drives the reveals out and brings the money back', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    const { can } = await worker.ui('getJob', { jobId })
    await refund(worker, jobId, can.refund?.leastFeeRate ?? 0)
    expect(await worker.ui('getJob', { jobId })).toMatchObject({
      state: 'refunding',
      can: { bump: null },
    })
    expect(readChain(world).texts).toEqual([])
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded' })
    expect(await balanceOf(worker)).toBeGreaterThan(80_000)
  })

  it('that comes too late for one item is told, and can be made again for the others', async () => {
    const { world, worker, gate } = await startJobs()
    const { jobId } = await mintTexts(worker, ['one', 'two'])
    const one = world.chain.get(readChain(world).revealOf('one') ?? '') ?? new Uint8Array()
    const plan = await worker.ui('planJobRefund', { jobId, feeRate: 6 })
    gate.refuse = () => 'bad-txns-inputs-missingorspent'
    await confirm(worker, plan)
    gate.refuse = () => null
    const { commit } = await worker.ui('getJob', { jobId })
    world.chain.evict(readChain(world).revealOf('two') ?? '')
    world.chain.add(world.chain.get(commit.txid) ?? new Uint8Array())
    world.chain.add(one)
    const job = await wait(world, worker, jobId)
    expect(job).toMatchObject({ state: 'stuck', can: { bump: null, refund: { leastFeeRate: 1 } } })
    expect(job.items.map(({ state }) => state)).toEqual(['confirmed', 'refused'])
    await refund(worker, jobId, 2)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
    expect(readChain(world).texts).toEqual(['one'])
  })
})
