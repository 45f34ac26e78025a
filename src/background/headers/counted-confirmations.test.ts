import { describe, expect, it, vi } from 'vitest'
import { etch, MATURITY } from '../inscribing/testing/etching-world.ts'
import { startJobs, wait } from '../inscribing/testing/job-world.ts'
import {
  draft,
  findCoin,
  payFromPopup,
  RECIPIENT,
  SITE,
  startWithCoin,
} from '../testing/funded-wallet.ts'
import { fund, openPage, startWorker } from '../testing/test-wallet.ts'
import { refuseBlocks } from './testing/refused-blocks.ts'

const refused = { is: 'refused', fault: 'no-work' }
const everything = { recipients: [{ to: RECIPIENT, sats: 'max' }] }

/** A coin in block 100, which the wallet has checked, and one in block 101, which it refuses. */
async function startRefused() {
  const started = await startWithCoin(100_000n)
  const { world, worker, account } = started
  const check = () => worker.ui('getChainState', null)
  expect(await check()).toEqual({ is: 'followed' })
  world.chain.mine(1)
  const txid = fund(world, account.address, 50_000n)
  const tellTruth = refuseBlocks(world)
  expect(await check()).toEqual({ ...refused, checkedTo: 100 })
  const statusOf = async (wanted: string) => {
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 50 })
    return entries.find(one => one.txid === wanted)?.status
  }
  return { ...started, check, tellTruth, statusOf, txid, old: started.txids[0] ?? '' }
}

describe('while the newest blocks of the server do not pass', () => {
  it('what is in them is no confirmed balance, for the person and for sites; what was checked before stays', async () => {
    const { worker, page, check, tellTruth } = await startRefused()
    const { balance } = await worker.ui('getOverview', null)
    expect(balance).toEqual({ confirmed: '100000', unconfirmed: '50000' })
    expect(await page.call('getBalance')).toMatchObject({
      result: { confirmed: 100_000, unconfirmed: 50_000, total: 150_000 },
    })
    tellTruth()
    expect(await check()).toEqual({ is: 'followed' })
    expect((await worker.ui('getOverview', null)).balance).toEqual({
      ...{ confirmed: '150000', unconfirmed: '0' },
    })
    expect(await page.call('getBalance')).toMatchObject({
      result: { confirmed: 150_000, unconfirmed: 0, total: 150_000 },
    })
  })

  it('payments leave coins in them alone as any that are not confirmed, unless the person lets them', async () => {
    const { worker, check, tellTruth, txid, old } = await startRefused()
    expect(await findCoin(worker, `${txid}:0`)).toMatchObject({ held: 'unconfirmed', height: null })
    expect(await findCoin(worker, `${old}:0`)).toMatchObject({ held: null, height: 100 })
    await expect(
      worker.ui('planPayment', draft({ recipients: [{ to: RECIPIENT, sats: '120000' }] })),
    ).rejects.toMatchObject({ data: { heldUnconfirmed: '50000' } })
    const { expert } = (await worker.ui('getState', null)).settings
    await worker.ui('changeSettings', { expert: { ...expert, spendUnconfirmed: true } })
    const { review } = await worker.ui('planPayment', draft(everything))
    expect(review.inputs.map(({ sats }) => sats)).toEqual(['100000', '50000'])
    expect(review.warnings).toContainEqual({ kind: 'spends-unconfirmed', inputs: [1] })
    await worker.ui('changeSettings', { expert })
    tellTruth()
    await check()
    const { review: later } = await worker.ui('planPayment', draft(everything))
    expect(later.inputs).toHaveLength(2)
    expect(later.warnings).not.toContainEqual({ kind: 'spends-unconfirmed', inputs: [1] })
  })

  it('an index still holds back what it says sits on a coin in them, also where such coins may be spent', async () => {
    const { world, worker, txid } = await startRefused()
    world.assets.inscribe(`${txid}:0`)
    const { expert } = (await worker.ui('getState', null)).settings
    await worker.ui('changeSettings', {
      expert: { ...expert, spendUnconfirmed: true, spendUnchecked: true },
    })
    expect(await findCoin(worker, `${txid}:0`)).toMatchObject({ held: 'inscribed', height: null })
  })

  it('what is in them waits in the activity, and confirmations are counted to the last block that passed', async () => {
    const { world, worker, check, tellTruth, statusOf, txid, old } = await startRefused()
    world.chain.mine(4)
    const confirmations = async (of: string) =>
      (await worker.ui('getActivityDetails', { txid: of })).confirmations
    expect([await statusOf(txid), await confirmations(txid)]).toEqual(['pending', 0])
    expect([await statusOf(old), await confirmations(old)]).toEqual(['confirmed', 1])
    tellTruth()
    await check()
    expect([await statusOf(txid), await confirmations(txid)]).toEqual(['confirmed', 5])
    expect([await statusOf(old), await confirmations(old)]).toEqual(['confirmed', 6])
  })

  it('what counted before waits, and is not said to be undone: not a payment received, and not one of our own', async () => {
    const { world, worker, account, check, tellTruth, statusOf, txid } = await startRefused()
    tellTruth()
    await check()
    const { txid: sent = '' } = await payFromPopup(worker)
    world.chain.mine(1)
    const received = fund(world, account.address, 7_000n)
    const statuses = () => Promise.all([txid, sent, received].map(statusOf))
    expect(await statuses()).toEqual(['confirmed', 'confirmed', 'confirmed'])
    // It was not followed so far, and has others from block 102 on.
    const tellAgain = refuseBlocks(world)
    expect(await check()).toEqual({ ...refused, checkedTo: 101 })
    expect(await statuses()).toEqual(['confirmed', 'pending', 'pending'])
    expect(await findCoin(worker, `${sent}:1`)).toMatchObject({ held: null, height: null })
    tellAgain()
    await check()
    expect(await statuses()).toEqual(['confirmed', 'confirmed', 'confirmed'])
  })

  it('another worker knows it, without a request for headers', async () => {
    const { world } = await startRefused()
    const worker = startWorker(world)
    const asked = vi.spyOn(world.chain.chain, 'fetchNewestHeaders')
    const page = openPage(worker, SITE)
    expect(await page.call('getBalance')).toMatchObject({ result: { confirmed: 100_000 } })
    expect(asked).not.toHaveBeenCalled()
  })

  it('silence about blocks neither ends nor begins it', async () => {
    const { world, check, tellTruth, page } = await startRefused()
    const balance = async () => Object(await page.call('getBalance')).result.confirmed
    const honest = world.chain.chain.fetchNewestHeaders
    const beSilent = () => {
      world.chain.chain.fetchNewestHeaders = async () => {
        world.chain.faults.unreachable = true
        return honest().finally(() => {
          world.chain.faults.unreachable = false
        })
      }
    }
    beSilent()
    expect(await check()).toEqual({ is: 'unanswered', checkedTo: 100 })
    expect(await balance()).toBe(100_000)
    tellTruth()
    expect(await check()).toEqual({ is: 'followed' })
    beSilent()
    world.chain.mine(1)
    expect(await check()).toEqual({ is: 'unanswered' })
    expect(await balance()).toBe(150_000)
  })
})

describe('a fork that took no more work', () => {
  it('counts up to the block that it leaves', async () => {
    const { world, worker, account, page } = await startWithCoin(100_000n)
    world.chain.mine(2)
    fund(world, account.address, 20_000n)
    const goBack = world.chain.save()
    world.chain.mine(3)
    fund(world, account.address, 3_000n)
    expect(await worker.ui('getChainState', null)).toEqual({ is: 'followed' })
    // Held to 105; the fork leaves after 102, where the first coin is.
    goBack()
    world.chain.mine(2)
    fund(world, account.address, 50_000n)
    expect(await worker.ui('getChainState', null)).toEqual({
      ...{ is: 'forked', blocks: 3, checkedTo: 102 },
    })
    expect(await page.call('getBalance')).toMatchObject({
      result: { confirmed: 120_000, unconfirmed: 50_000 },
    })
  })
})

describe('a wallet that has checked no block yet', () => {
  it('takes the server’s word, as there is nothing to go by', async () => {
    const { world, worker, page } = await startWithCoin(100_000n)
    refuseBlocks(world)
    expect(await worker.ui('getChainState', null)).toEqual(refused)
    expect(await page.call('getBalance')).toMatchObject({ result: { confirmed: 100_000 } })
  })
})

describe('a wallet whose server shows blocks that pass', () => {
  it('asks no more for a balance than it did, and nothing for headers', async () => {
    const { world, worker, page } = await startWithCoin(100_000n)
    await worker.ui('getChainState', null)
    const { chain } = world.chain
    const spies = (['fetchBalance', 'fetchUtxos', 'fetchNewestHeaders', 'fetchTip'] as const).map(
      name => vi.spyOn(chain, name),
    )
    await page.call('getBalance')
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0, 0])
  })
})

describe('a chain of regtest that was made anew from its first block', () => {
  it('is the chain, however short it is', async () => {
    const { world, worker, page } = await startWithCoin(100_000n)
    const check = () => worker.ui('getChainState', null)
    expect(await check()).toEqual({ is: 'followed' })
    world.chain.reorg(world.chain.tip())
    for (let dropped = 0; dropped < 41; dropped++) world.chain.dropTip()
    expect(world.chain.tip()).toBe(60)
    expect(await check()).toEqual({ is: 'followed' })
    world.chain.mine(1)
    expect(await page.call('getBalance')).toMatchObject({ result: { confirmed: 100_000 } })
    expect(await check()).toEqual({ is: 'followed' })
    expect(await page.call('getBalance')).toMatchObject({ result: { confirmed: 100_000 } })
  })
})

describe('an etching whose commit is in blocks that do not pass', () => {
  it('waits without a word of an undone block, and goes on by itself once they pass', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    await worker.ui('getChainState', null)
    world.chain.mine()
    await worker.ui('getChainState', null)
    expect(await wait(world, worker, jobId)).toMatchObject({ etching: { confirmations: 1 } })
    const tellTruth = refuseBlocks(world)
    world.chain.mine(MATURITY)
    await worker.ui('getChainState', null)
    const maturing = { state: 'maturing', problem: null, etching: { confirmations: 1 } }
    expect(await wait(world, worker, jobId)).toMatchObject(maturing)
    expect(world.chain.broadcasts).toHaveLength(1)
    tellTruth()
    // Nobody looks at a page meanwhile.
    world.clock.now += 60_000
    await worker.wallet.followJobs()
    expect(world.chain.broadcasts).toHaveLength(2)
  })

  it('is no undone block either where it counted before', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    await worker.ui('getChainState', null)
    const tellTruth = refuseBlocks(world)
    world.chain.mine(2)
    expect(await wait(world, worker, jobId)).toMatchObject({ etching: { confirmations: 2 } })
    await worker.ui('getChainState', null)
    const waiting = { state: 'maturing', problem: null, etching: { confirmations: 0 } }
    expect(await wait(world, worker, jobId)).toMatchObject(waiting)
    tellTruth()
    await worker.ui('getChainState', null)
    expect(await wait(world, worker, jobId)).toMatchObject({ etching: { confirmations: 2 } })
  })
})
