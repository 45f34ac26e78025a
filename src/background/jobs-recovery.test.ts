import { describe, expect, it } from 'vitest'
import { fromHex } from '../bitcoin/bytes.ts'
import { parseOutpoint } from '../bitcoin/outpoint.ts'
import { refreshJobs } from './job-run.ts'
import { buildTransaction } from './testing/activity-world.ts'
import { findCoin, payFromPopup, RECIPIENT } from './testing/funded-wallet.ts'
import {
  confirm,
  FIVE,
  mintTexts,
  readChain,
  restart,
  startJobs,
  wait,
} from './testing/job-world.ts'
import type { Worker } from './testing/test-wallet.ts'

const SORTED = FIVE.toSorted()

async function bump(worker: Worker, jobId: string, feeRate: number) {
  const plan = await worker.ui('planJobBump', { jobId, feeRate })
  await confirm(worker, plan)
  return plan.review
}

async function refund(worker: Worker, jobId: string, feeRate: number) {
  const plan = await worker.ui('planJobRefund', { jobId, feeRate })
  await confirm(worker, plan)
  return plan.review
}

async function balanceOf(worker: Worker): Promise<number> {
  const coins = await worker.ui('getCoins', null)
  return coins.filter(({ held }) => held === null).reduce((sum, { sats }) => sum + Number(sats), 0)
}

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

describe('a server', () => {
  it.each(['before', 'after'] as const)(
    'that loses everything %s it arrives is asked again until all is there',
    async moment => {
      const { world, worker, gate } = await startJobs()
      gate.lose = () => moment
      const { jobId } = await mintTexts(worker, ['one', 'two'])
      expect((await worker.wallet.jobs.find(jobId))?.problem).toMatchObject({ kind: 'unanswered' })
      gate.lose = () => null
      expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
      expect(readChain(world).texts).toEqual(['one', 'two'])
    },
    60_000,
  )

  it('that says it has the commit and drops it is not believed', async () => {
    const { world, worker, gate } = await startJobs()
    gate.lie = () => true
    const { jobId } = await mintTexts(worker)
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: expect.stringMatching(/sending|waiting/),
    })
    gate.lie = () => false
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('that says it has a reveal and drops it is asked again', async () => {
    const { world, worker, gate } = await startJobs()
    let told = 0
    gate.lie = () => ++told === 3
    const { jobId } = await mintTexts(worker)
    expect(readChain(world).texts).toHaveLength(4)
    await wait(world, worker, jobId)
    expect(readChain(world).texts).toEqual(SORTED)
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

  it('is raised with a further coin once the commit is in a block, and each item is there once', async () => {
    const { world, worker, gate } = await startJobs(100_000n, 80_000n)
    let handed = 0
    gate.refuse = () => (++handed > 3 ? 'min relay fee not met' : null)
    const { jobId } = await mintTexts(worker)
    world.chain.mine()
    const raised: string[] = []
    gate.refuse = txid => {
      raised.push(txid)
      return null
    }
    const review = await bump(worker, jobId, 30)
    expect(review).toMatchObject({ purpose: 'bump', commit: null })
    expect(review.items).toHaveLength(3)
    expect(new Set(raised).size).toBe(3)
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

describe('the chain', () => {
  it('that undoes the block of everything has it all again, and the job says what happened', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    const { commit } = await worker.ui('getJob', { jobId })
    world.chain.reorg()
    world.chain.evict(commit.txid)
    expect(readChain(world).texts).toEqual([])
    expect(await wait(world, worker, jobId)).toMatchObject({ problem: { kind: 'reorganised' } })
    expect(readChain(world).texts).toEqual(SORTED)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
  })

  it('in which somebody else spent the coin ends the job, and nothing of it is sent any more', async () => {
    const { world, worker, gate } = await startJobs(100_000n, 50_000n)
    const { jobId } = await mintTexts(worker)
    const { commit } = await worker.ui('getJob', { jobId })
    const spent = (await worker.wallet.jobs.find(jobId))?.transactions[0]?.spends[0] ?? ''
    world.chain.evict(commit.txid)
    world.chain.add(spendElsewhere(spent))
    const handed: string[] = []
    gate.watch = async (_, txid) => void handed.push(txid)
    const job = await wait(world, worker, jobId)
    expect(job).toMatchObject({
      state: 'stuck',
      problem: { kind: 'commit-gone' },
      can: { resume: false, bump: null, refund: null, discard: true },
    })
    expect(handed).toEqual([])
    world.chain.mine(6)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'ended', locked: '0' })
  })

  it('with a hundred blocks on top settles the job: its bytes are put away', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker, ['one'])
    world.chain.mine(101)
    await wait(world, worker, jobId)
    expect(Object.keys(world.local.dump()).filter(key => key.startsWith('job.'))).toEqual([])
    expect((await worker.ui('getJobs', null))[0]).toMatchObject({ state: 'done' })
  })
})

describe('an account', () => {
  it('that is removed does not stop its job', async () => {
    const { world, worker, account, gate } = await startJobs()
    await worker.ui('addAccount', { addressType: 'p2tr', name: '' })
    gate.lose = () => 'before'
    await mintTexts(worker, ['one'])
    await worker.ui('removeAccount', { accountId: account.id })
    gate.lose = () => null
    world.clock.now += 60_000
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual(['one'])
  }, 60_000)

  it('that is not in use, and a network that is not, do not stop a job; nor does a lock', async () => {
    const { world, worker, gate } = await startJobs()
    gate.lose = () => 'before'
    await mintTexts(worker, ['one'])
    await worker.ui('selectNetwork', { network: 'testnet4' })
    await worker.ui('lock', null)
    gate.lose = () => null
    world.clock.now += 60_000
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual(['one'])
  }, 60_000)
})

/** A transaction of nobody that spends this coin. */
function spendElsewhere(outpoint: string): Uint8Array {
  return fromHex(buildTransaction([parseOutpoint(outpoint)], [{ address: RECIPIENT, sats: 1000n }]))
}
