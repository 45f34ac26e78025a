import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshJobs } from '../background/job-run.ts'
import { selectedAccount } from '../background/testing/funded-wallet.ts'
import { confirm, FIVE, mintTexts, restart, wait } from '../background/testing/job-world.ts'
import {
  createWorld,
  startUnlocked,
  type Worker,
  type World,
} from '../background/testing/test-wallet.ts'
import type { JobView } from '../background/ui-methods/inscribe-views.ts'
import type { AddressType } from '../bitcoin/address.ts'
import { ADDRESS_TYPES } from '../bitcoin/testing/spending.ts'
import { BroadcastRejectedError } from '../chain/chain-source.ts'
import { openAssets } from '../chain/open-assets.ts'
import { openChain } from '../chain/open-chain.ts'
import { createTestAccess } from '../chain/testing/server-access.ts'
import { type Devnet, startDevnet } from './start-devnet.ts'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

/** A wallet on devnet with two coins; `gate.takes` transactions go to the node, and it refuses the rest. */
async function startMinter(addressType: AddressType) {
  const world = createWorld()
  const { access, checks, clock } = createTestAccess()
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  const now = () => (clock.now += 60_000)
  const chain = openChain('regtest', urls, { access, checks })
  const gate = { takes: Number.POSITIVE_INFINITY }
  world.chain.chain = {
    ...chain,
    async broadcast(rawTx) {
      if (gate.takes-- <= 0) throw new BroadcastRejectedError('min relay fee not met')
      return chain.broadcast(rawTx)
    },
  }
  world.assets.source = openAssets(
    'regtest',
    { assets: devnet.ordUrl, secondAssets: '' },
    { access, now },
  )
  const worker = await startUnlocked(world)
  const { id } = await worker.ui('addAccount', { addressType, name: 'Minter' })
  await worker.ui('selectAccount', { accountId: id })
  const account = await selectedAccount(worker)
  for (const sats of [60_000n, 90_000n]) await devnet.faucet(account.address, sats)
  await devnet.mine(1)
  return { world, worker, gate, account }
}

async function change(
  worker: Worker,
  name: 'planJobBump' | 'planJobRefund',
  jobId: string,
  feeRate: number,
) {
  const plan = await worker.ui(name, { jobId, feeRate })
  await confirm(worker, plan)
  return plan.review
}

/** What the index has of a job's inscriptions, in their order; null for none. */
function readTexts(world: World, job: JobView): Promise<(string | null)[]> {
  return Promise.all(
    job.items.map(async ({ inscriptionId }) => {
      const content = await world.assets.source.fetchContent(inscriptionId, 1000).catch(() => null)
      return content && new TextDecoder().decode(content.bytes)
    }),
  )
}

async function finish(world: World, worker: Worker, jobId: string): Promise<JobView> {
  await devnet.mine(1)
  return wait(world, worker, jobId)
}

describe('a job on a real node', () => {
  it.each(ADDRESS_TYPES)(
    'of a %s account goes on in a locked worker after the commit and two reveals',
    async addressType => {
      const { world, worker, gate } = await startMinter(addressType)
      gate.takes = 3
      const { jobId } = await mintTexts(worker)
      expect(await worker.ui('getJobs', null)).toMatchObject([{ state: 'stuck' }])
      gate.takes = Number.POSITIVE_INFINITY
      world.clock.now += 60_000
      await refreshJobs(restart(world, { keepsSession: false }).wallet)
      const job = await finish(world, worker, jobId)
      expect(job).toMatchObject({ state: 'done', locked: '0', problem: null })
      expect(await readTexts(world, job)).toEqual(FIVE)
    },
    120_000,
  )

  it('is replaced whole while its commit waits', async () => {
    const { world, worker } = await startMinter('p2tr')
    const { jobId } = await mintTexts(worker)
    const { commit, can } = await worker.ui('getJob', { jobId })
    await change(worker, 'planJobBump', jobId, can.bump?.leastFeeRate ?? 0)
    expect((await worker.ui('getJob', { jobId })).commit.txid).not.toBe(commit.txid)
    const job = await finish(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done', problem: null })
    expect(await readTexts(world, job)).toEqual(FIVE)
  }, 120_000)

  it.each(ADDRESS_TYPES)(
    'of a %s account has waiting reveals raised once a block has the commit',
    async addressType => {
      const { world, worker, gate } = await startMinter(addressType)
      gate.takes = 2
      const { jobId } = await mintTexts(worker)
      await devnet.mine(1)
      gate.takes = 0
      await wait(world, worker, jobId)
      gate.takes = Number.POSITIVE_INFINITY
      const { can } = await worker.ui('getJobs', null).then(([job]) => job ?? Promise.reject())
      await change(worker, 'planJobBump', jobId, can.bump?.leastFeeRate ?? 0)
      const job = await finish(world, worker, jobId)
      expect(job).toMatchObject({ state: 'done', problem: null })
      expect(await readTexts(world, job)).toEqual(FIVE)
    },
    120_000,
  )

  it.each([false, true])(
    'is taken back (reveals in the mempool, commit in a block: %s)',
    async isMined => {
      const { world, worker, gate } = await startMinter('p2tr')
      if (isMined) gate.takes = 1
      const { jobId } = await mintTexts(worker)
      if (isMined) await devnet.mine(1)
      await wait(world, worker, jobId)
      gate.takes = Number.POSITIVE_INFINITY
      const { can } = await worker.ui('getJobs', null).then(([job]) => job ?? Promise.reject())
      await change(worker, 'planJobRefund', jobId, can.refund?.leastFeeRate ?? 0)
      const job = await finish(world, worker, jobId)
      expect(job).toMatchObject({ state: 'refunded', locked: '0' })
      expect(job.items.map(({ state }) => state)).toEqual(FIVE.map(() => 'refunded'))
    },
    120_000,
  )

  it('comes back after its block was undone', async () => {
    const { world, worker } = await startMinter('p2tr')
    const { jobId } = await mintTexts(worker)
    expect(await finish(world, worker, jobId)).toMatchObject({ state: 'done' })
    await devnet.reorg(1)
    await wait(world, worker, jobId)
    const job = await finish(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done' })
    expect(await readTexts(world, job)).toEqual(FIVE)
  }, 120_000)

  it('makes children of an inscription, which comes back, also when the rest is raised', async () => {
    const { world, worker, gate } = await startMinter('p2wpkh')
    const first = await mintTexts(worker, ['parent'])
    const [parent] = (await finish(world, worker, first.jobId)).items
    const id = parent?.inscriptionId ?? ''
    gate.takes = 2
    const { jobId } = await mintTexts(worker, ['a', 'b', 'c'], { parent: id })
    await devnet.mine(1)
    gate.takes = 0
    await wait(world, worker, jobId)
    gate.takes = Number.POSITIVE_INFINITY
    const job0 = (await worker.ui('getJobs', null)).find(job => job.id === jobId)
    await change(worker, 'planJobBump', jobId, job0?.can.bump?.leastFeeRate ?? 0)
    const job = await finish(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done', problem: null })
    expect(await readTexts(world, job)).toEqual(['a', 'b', 'c'])
    const facts = await world.assets.source.fetchInscriptions([
      id,
      ...job.items.map(({ inscriptionId }) => inscriptionId),
    ])
    expect(facts.get(id)?.address).toBe((await selectedAccount(worker)).address)
    for (const { inscriptionId } of job.items)
      expect(facts.get(inscriptionId)?.parents).toEqual([id])
  }, 120_000)
})
