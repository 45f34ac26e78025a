import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { buildTransaction } from '../activity/testing/activity-world.ts'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import { fund, PASSWORD } from '../testing/test-wallet.ts'
import { refreshJobs } from './job-run.ts'
import { stateOf } from './job-state.ts'
import { bump, FIVE, mintTexts, readChain, refund, startJobs, wait } from './testing/job-world.ts'

const SORTED = FIVE.toSorted()
const DAY_MS = 24 * 60 * 60 * 1000

describe('a server', () => {
  it.each(['before', 'after'] as const)(
    'that loses everything %s it arrives is asked again until all is there',
    async moment => {
      const { world, worker, gate } = await startJobs()
      gate.lose = () => moment
      const { jobId } = await mintTexts(worker, ['one', 'two'])
      // Confirming waits 3 s for what takes 2.5 s and, on a busy machine, more.
      const problem = async () => (await worker.wallet.jobs.find(jobId))?.problem
      await expect.poll(problem, { timeout: 20_000 }).toMatchObject({ kind: 'unanswered' })
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

  it('that says deep blocks have what it dropped is not believed once it is honest', async () => {
    const { world, worker, gate } = await startJobs()
    gate.lie = () => true
    const { jobId } = await mintTexts(worker)
    const { chain } = world.chain
    const { fetchTransactionHeight } = chain
    chain.fetchTransactionHeight = async () => world.chain.tip() - 50
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', locked: '0' })
    Object.assign(chain, { fetchTransactionHeight })
    gate.lie = () => false
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting' })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('that makes up blocks does not make the wallet forget what it takes to go on', async () => {
    const { world, worker, gate } = await startJobs()
    let reveals = 0
    gate.lie = () => ++reveals > 1
    const { jobId } = await mintTexts(worker)
    const { chain } = world.chain
    const { fetchTransactionHeight, fetchTip } = chain
    chain.fetchTransactionHeight = async () => 100
    chain.fetchTip = async () => ({ ...(await fetchTip()), height: 10_000 })
    for (let day = 0; day < 13; day++) {
      world.clock.now += DAY_MS
      await refreshJobs(worker.wallet)
      const job = await worker.wallet.jobs.find(jobId)
      expect(job && stateOf(job)).toBe('done')
    }
    Object.assign(chain, { fetchTransactionHeight, fetchTip })
    gate.lie = () => false
    world.clock.now += DAY_MS
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('that makes up a conflicting transaction stops the job only for as long', async () => {
    const { world, worker, gate } = await startJobs()
    gate.lie = () => true
    const { jobId } = await mintTexts(worker)
    const { chain } = world.chain
    const { fetchSpender } = chain
    chain.fetchSpender = async () => 'ab'.repeat(32)
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'stuck',
      problem: { kind: 'commit-gone' },
    })
    Object.assign(chain, { fetchSpender })
    gate.lie = () => false
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    expect(readChain(world).texts).toEqual(SORTED)
  })

  it('that says it has the commit and refuses each reveal keeps nobody waiting for each of them', async () => {
    const { world, worker, gate } = await startJobs()
    let commit: string | null = null
    let sent = 0
    gate.lie = txid => {
      commit ??= txid
      sent++
      return txid === commit
    }
    const texts = Array.from({ length: 24 }, (_, i) => `text ${i}`)
    const { jobId } = await mintTexts(worker, texts)
    const resumed = await worker.ui('resumeJob', { jobId })
    expect(resumed.items.every(({ state }) => state === 'refused')).toBe(true)
    gate.lie = () => false
    // The commit, and each reveal at most once at each of the two times, but for the first, which is tried again.
    expect(sent).toBeLessThan(2 * (1 + texts.length) + 6)
    world.clock.now += 60_000
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual(texts.toSorted())
  })
})

describe('several jobs', () => {
  it('go on in one turn when a later one spends the change of an earlier one', async () => {
    const { world, worker } = await startJobs()
    await mintTexts(worker, ['one'])
    await mintTexts(worker, ['two'])
    const first = (await worker.wallet.jobs.list()).at(-1)
    world.chain.evict(first?.commitTxid ?? '')
    expect(readChain(world).texts).toEqual([])
    world.clock.now += 60_000
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual(['one', 'two'])
  })

  it('do not wait for a network whose server says nothing', async () => {
    const { world, worker, gate } = await startJobs()
    gate.lose = () => 'before'
    await mintTexts(worker, ['one'])
    gate.lose = () => null
    const [job] = await worker.wallet.jobs.list()
    if (!job) throw new Error('No job')
    const bytes = await worker.wallet.jobs.loadBytes(job, 0)
    if (!bytes) throw new Error('No bytes')
    for (const network of ['mainnet', 'testnet4'] as const)
      await worker.wallet.jobs.add({ ...job, id: network, attempts: [network], network }, bytes)
    worker.wallet.chain = async network =>
      network === 'regtest' ? world.chain.chain : new Promise(() => {})
    world.clock.now += 60_000
    void refreshJobs(worker.wallet)
    await expect.poll(() => readChain(world).texts, { timeout: 5000 }).toEqual(['one'])
  })

  it('do not suffer from one that is damaged', async () => {
    const { world, worker, gate } = await startJobs(100_000n, 90_000n)
    gate.lose = () => 'before'
    const { jobId } = await mintTexts(worker, ['one'])
    await mintTexts(worker, ['two'])
    gate.lose = () => null
    await world.local.remove(`job.${jobId}.0`)
    world.clock.now += 60_000
    await expect(refreshJobs(worker.wallet)).rejects.toThrow('lost the bytes')
    expect(readChain(world).texts).toEqual(['two'])
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

  it('that has a transaction in conflict over the coin with which more was to be paid takes the commit before that', async () => {
    const { world, worker, account } = await startJobs(6_000n)
    const { jobId } = await mintTexts(worker, ['one'])
    fund(world, account.address, 30_000n)
    const before = await worker.ui('getJob', { jobId })
    await bump(worker, jobId, 60)
    const after = await worker.ui('getJob', { jobId })
    const job = await worker.wallet.jobs.find(jobId)
    const [first = [], second = []] = [before, after].map(
      ({ commit }) => job?.transactions.find(({ txid }) => txid === commit.txid)?.spends,
    )
    const added = second.filter(outpoint => !first.includes(outpoint))
    expect(added).toHaveLength(1)
    world.chain.evict(after.commit.txid)
    world.chain.add(spendElsewhere(added[0] ?? ''))
    expect(await wait(world, worker, jobId)).toMatchObject({ commit: { txid: before.commit.txid } })
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    expect(readChain(world).texts).toEqual(['one'])
  })

  it('with a hundred blocks on top for two weeks settles the job: its bytes are put away', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await mintTexts(worker, ['one'])
    const listBytes = () => Object.keys(world.local.dump()).filter(key => key.startsWith('job.'))
    world.chain.mine(101)
    await wait(world, worker, jobId)
    expect(listBytes()).toHaveLength(1)
    world.clock.now += 14 * DAY_MS
    await refreshJobs(worker.wallet)
    expect(listBytes()).toEqual([])
    await worker.ui('unlock', { password: PASSWORD })
    await worker.ui('selectNetwork', { network: 'regtest' })
    expect((await worker.ui('getJobs', null))[0]).toMatchObject({ state: 'done' })
  })
})

describe('an account', () => {
  it('is not removed while it inscribes something, and is once that is in a block', async () => {
    const { world, worker, account, gate } = await startJobs()
    await worker.ui('addAccount', { addressType: 'p2tr', name: '' })
    gate.lose = () => 'before'
    const { jobId } = await mintTexts(worker, ['one'])
    const remove = () => worker.ui('removeAccount', { accountId: account.id })
    await expect(remove()).rejects.toMatchObject({
      data: { reason: 'JOBS_UNDER_WAY', names: [account.name] },
    })
    const ids = async () => (await worker.ui('getState', null)).accounts.map(({ id }) => id)
    expect(await ids()).toContain(account.id)
    gate.lose = () => null
    await wait(world, worker, jobId)
    await expect(remove(), 'in no block').rejects.toThrow('under way')
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    await remove()
    expect(await ids()).not.toContain(account.id)
  })

  it('that an earlier version removed does not stop its job', async () => {
    const { world, worker, account, gate } = await startJobs()
    await worker.ui('addAccount', { addressType: 'p2tr', name: '' })
    gate.lose = () => 'before'
    await mintTexts(worker, ['one'])
    await worker.wallet.accounts.remove(account.id)
    await worker.ui('removeAccount', { accountId: account.id })
    gate.lose = () => null
    world.clock.now += 60_000
    await refreshJobs(worker.wallet)
    expect(readChain(world).texts).toEqual(['one'])
  })

  it('that an earlier version removed, and that is added again, can take back what its job holds', async () => {
    const { world, worker, account, gate } = await startJobs()
    let handed = 0
    gate.refuse = () => (++handed > 1 ? 'min relay fee not met' : null)
    const { jobId } = await mintTexts(worker, ['one'])
    await worker.ui('addAccount', { addressType: 'p2wpkh', name: '' })
    await worker.wallet.accounts.remove(account.id)
    await worker.ui('removeAccount', { accountId: account.id })
    const again = await worker.ui('addAccount', { addressType: 'p2tr', name: '' })
    await worker.ui('selectAccount', { accountId: again.id })
    gate.refuse = () => null
    world.chain.evict(readChain(world).revealOf('one') ?? '')
    const { can } = await worker.ui('getJob', { jobId })
    await refund(worker, jobId, can.refund?.leastFeeRate ?? 0)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
  })

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
  })
})

/** A transaction of nobody that spends this coin. */
function spendElsewhere(outpoint: string): Uint8Array {
  return fromHex(buildTransaction([parseOutpoint(outpoint)], [{ address: RECIPIENT, sats: 1000n }]))
}
