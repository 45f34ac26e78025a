import { describe, expect, it } from 'vitest'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { BroadcastRejectedError } from '../../chain/chain-source.ts'
import { findCoin, payFromPopup, RECIPIENT } from '../testing/funded-wallet.ts'
import type { World } from '../testing/test-wallet.ts'
import { refreshJobs } from './job-run.ts'
import {
  bump,
  confirm,
  FIVE,
  mintTexts,
  readChain,
  restart,
  startJobs,
  wait,
} from './testing/job-world.ts'

const SORTED = FIVE.toSorted()

describe('a commit that the node refuses', () => {
  it('is left to the person, who can resume, pay more or give it up', async () => {
    const { world, worker, gate } = await startJobs()
    gate.refuse = () => 'mempool min fee not met'
    const { jobId } = await mintTexts(worker)
    const job = await worker.ui('getJob', { jobId })
    expect(job).toMatchObject({
      state: 'stuck',
      locked: '0',
      problem: { kind: 'refused', detail: 'mempool min fee not met' },
      can: { resume: true, bump: { leastFeeRate: 6 }, refund: null, discard: true },
    })
    // Whoever asked was told that it failed: it is not sent behind their back.
    gate.refuse = () => null
    await wait(world, worker, jobId)
    await refreshJobs(restart(world, { keepsSession: false }).wallet)
    expect(readChain(world).texts).toEqual([])
    expect(await worker.ui('resumeJob', { jobId })).toMatchObject({ state: 'waiting' })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('is replaced by one that pays more: never are both on the chain', async () => {
    const { world, worker, gate, txids } = await startJobs()
    gate.refuse = () => 'mempool min fee not met'
    const { jobId } = await mintTexts(worker)
    gate.refuse = () => null
    const review = await bump(worker, jobId, 20)
    expect(review).toMatchObject({ purpose: 'bump', jobId, feeRate: 20 })
    expect(review.items).toHaveLength(5)
    expect(await worker.ui('getJob', { jobId })).toMatchObject({
      state: 'waiting',
      commit: { feeRate: 20 },
    })
    expect(readChain(world).texts).toEqual(SORTED)
    expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
  })

  it('given up frees its coins, and the next payment spends one of them, so that no liar can send both', async () => {
    const { worker, gate, txids, world } = await startJobs(100_000n, 90_000n)
    gate.refuse = () => 'no'
    const { jobId } = await mintTexts(worker)
    const spent = (await worker.ui('getCoins', null)).filter(({ held }) => held === 'reserved')
    await worker.ui('discardJob', { jobId })
    expect(await worker.ui('getJobs', null)).toEqual([])
    for (const { outpoint } of spent)
      expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    gate.refuse = () => null
    const { review } = await payFromPopup(worker, { recipients: [{ to: RECIPIENT, sats: '1000' }] })
    expect(spent.map(({ outpoint }) => outpoint)).toContain(review.inputs[0]?.outpoint)
    expect(txids).toHaveLength(2)
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual([])
  })

  it('given up but published by a server that lied goes on: there is money in it', async () => {
    const { world, worker, gate } = await startJobs()
    let commit: Uint8Array | null = null
    const { chain } = world.chain
    const broadcast = chain.broadcast.bind(chain)
    chain.broadcast = async rawTx => {
      commit ??= rawTx
      return broadcast(rawTx)
    }
    gate.refuse = () => 'no'
    const { jobId } = await mintTexts(worker)
    await worker.ui('discardJob', { jobId })
    gate.refuse = () => null
    world.chain.receive(commit ?? new Uint8Array())
    world.clock.now += 3_600_000
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('cannot be given up while nobody can say whether the network has it, or when it has', async () => {
    const { world, worker, gate } = await startJobs()
    gate.lose = () => 'after'
    const { jobId } = await mintTexts(worker, ['one'])
    world.chain.faults.unreachable = true
    await expect(worker.ui('discardJob', { jobId })).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
    world.chain.faults.unreachable = false
    gate.lose = () => null
    await expect(worker.ui('discardJob', { jobId })).rejects.toMatchObject({
      data: { reason: 'BUMP_IMPOSSIBLE' },
    })
    await wait(world, worker, jobId)
    expect(readChain(world).texts).toEqual(['one'])
  })
})

describe('a floor of the network’s fee rate', () => {
  it('that rises above what was signed, with what waits driven out, is met by paying more, and by nothing less', async () => {
    const { world, worker, gate, txids } = await startJobs()
    const floor = raiseFloor(world)
    let taken = 0
    gate.watch = async moment => {
      // The first reveal goes before the others.
      if (moment === 'after' && ++taken === 2) floor.feeRate = 10
    }
    const { jobId } = await mintTexts(worker)
    const refused = {
      state: 'stuck',
      problem: { kind: 'refused', detail: expect.stringContaining('min relay fee not met') },
      can: { resume: true, discard: false },
    }
    expect(await worker.ui('getJob', { jobId })).toMatchObject(refused)
    for (const { txid, height } of world.chain.list()) if (height === null) world.chain.evict(txid)
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...refused,
      can: { ...refused.can, discard: true },
    })

    const bumpAt = async (feeRate: number) => {
      await bump(worker, jobId, feeRate)
      return worker.ui('getJob', { jobId })
    }
    expect(await bumpAt(9)).toMatchObject({ state: 'stuck', problem: { kind: 'refused' } })
    expect(readChain(world).spendersOf(`${txids[0]}:0`)).toEqual([])
    expect(await bumpAt(10)).toMatchObject({ state: 'waiting', problem: null })
    expect(readChain(world).texts).toEqual(SORTED)
    expect(readChain(world).spendersOf(`${txids[0]}:0`)).toHaveLength(1)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', locked: '0' })
  })
})

describe('a reveal that the node refuses', () => {
  it('is said so, tried again by itself, and goes when the node takes it', async () => {
    const { world, worker, gate } = await startJobs()
    let handed = 0
    gate.refuse = () => (++handed > 3 ? 'min relay fee not met' : null)
    const { jobId } = await mintTexts(worker)
    const job = await worker.ui('getJob', { jobId })
    expect(job).toMatchObject({
      state: 'stuck',
      problem: { kind: 'refused', detail: 'min relay fee not met' },
      can: {
        resume: true,
        bump: { leastFeeRate: 6 },
        refund: { leastFeeRate: expect.any(Number) },
        discard: false,
      },
    })
    expect(job.items.map(({ state }) => state)).toEqual([
      'pending',
      'pending',
      'refused',
      'refused',
      'refused',
    ])
    // Three reveals of 139 vB at 5 sat/vB, and the postage.
    expect(Number(job.locked)).toBeGreaterThan(3 * 546)
    gate.refuse = () => null
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'waiting',
      locked: '0',
      problem: null,
    })
  })

  it('is fee-bumped with a further coin once the commit is in a block, and each item is there once', async () => {
    const { world, worker, gate } = await startJobs(100_000n, 80_000n)
    let handed = 0
    gate.refuse = () => (++handed > 3 ? 'min relay fee not met' : null)
    const { jobId } = await mintTexts(worker)
    world.chain.mine()
    const bumpTxids: string[] = []
    gate.refuse = txid => {
      bumpTxids.push(txid)
      return null
    }
    const review = await bump(worker, jobId, 30)
    expect(review).toMatchObject({ purpose: 'bump', commit: null })
    expect(review.items).toHaveLength(3)
    expect(new Set(bumpTxids).size).toBe(3)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', locked: '0' })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('is taken back: what is not revealed comes home, and what is stays', async () => {
    const { world, worker, gate, account } = await startJobs()
    let handed = 0
    gate.refuse = () => (++handed > 3 ? 'min relay fee not met' : null)
    const { jobId } = await mintTexts(worker)
    world.chain.mine()
    const { locked } = await worker.ui('getJob', { jobId })
    gate.refuse = () => null
    // Working it out must not reveal what is to be taken back.
    const plan = await worker.ui('planJobRefund', { jobId, feeRate: 2 })
    expect(plan.review).toMatchObject({ purpose: 'refund', jobId, receiver: account.address })
    expect(Number(plan.review.cost)).toBe(Number(plan.review.totalFee) - Number(locked))
    await confirm(worker, plan)
    expect(await worker.ui('getJob', { jobId })).toMatchObject({ state: 'refunding', locked: '0' })
    world.chain.mine()
    const job = await wait(world, worker, jobId)
    expect(job).toMatchObject({
      state: 'refunded',
      can: { resume: false, bump: null, refund: null },
    })
    expect(job.items.map(({ state }) => state)).toEqual([
      'confirmed',
      'confirmed',
      'refunded',
      'refunded',
      'refunded',
    ])
    expect(readChain(world).texts).toEqual(['one', 'two'])
  })
})

/** A node that takes nothing below a fee rate (sat/vB), which can be changed. */
function raiseFloor({ chain }: World): { feeRate: number } {
  const floor = { feeRate: 1 }
  const broadcast = chain.chain.broadcast.bind(chain.chain)
  chain.chain.broadcast = async rawTx => {
    const { inputs, outputs, vsize } = parseTransaction(rawTx)
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)
    const spent = inputs.flatMap(({ txid, vout }) => {
      const parent = chain.get(txid)
      return (parent && parseTransaction(parent).outputs[vout]?.amount) ?? []
    })
    const fee = Number(sum(spent) - sum(outputs.map(({ amount }) => amount)))
    const least = Math.ceil(vsize * floor.feeRate)
    // Without its parents it is refused for that.
    if (spent.length === inputs.length && fee < least)
      throw new BroadcastRejectedError(`min relay fee not met, ${fee} < ${least}`)
    return broadcast(rawTx)
  }
  return floor
}
