import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshJobs } from '../../src/background/inscribing/job-run.ts'
import { viewJob } from '../../src/background/inscribing/job-view.ts'
import { etch } from '../../src/background/inscribing/testing/etching-world.ts'
import {
  bump,
  FIVE,
  mintTexts,
  refund,
  restart,
  wait,
} from '../../src/background/inscribing/testing/job-world.ts'
import { defer, selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import {
  createWorld,
  startUnlocked,
  type Worker,
  type World,
} from '../../src/background/testing/test-wallet.ts'
import type { JobView } from '../../src/background/views/inscribe-views.ts'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { fromHex } from '../../src/bitcoin/bytes.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import { BroadcastRejectedError } from '../../src/chain/chain-source.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

/**
 * A wallet on devnet with two coins; `gate.takes` transactions go to the node, and it refuses the rest. All wallets here have
 * the same words: the accounts before the `place`-th of the type are those of other tests.
 */
async function startMinter(addressType: AddressType, place = 1) {
  const world = createWorld()
  const { access, checks, clock } = createTestAccess()
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  const now = () => (clock.now += 60_000)
  const chain = openChain('regtest', urls, { access, checks })
  const gate = {
    takes: Number.POSITIVE_INFINITY,
    watch: async (_moment: 'before' | 'after'): Promise<void> => {},
    /** What is being handed over; a death stops none of it. */
    onTheirWay: new Set<Promise<unknown>>(),
  }
  world.chain.chain = {
    ...chain,
    async broadcast(rawTx) {
      if (gate.takes-- <= 0) throw new BroadcastRejectedError('min relay fee not met')
      await gate.watch('before')
      const broadcast = chain.broadcast(rawTx)
      gate.onTheirWay.add(broadcast)
      const txid = await broadcast
      await gate.watch('after')
      return txid
    },
  }
  world.assets.source = openAssets(
    'regtest',
    { assets: devnet.ordUrl, secondAssets: '' },
    { access, now },
  )
  const worker = await startUnlocked(world)
  for (let added = 0; added < place; added++) {
    const { id } = await worker.ui('addAccount', { addressType, name: '' })
    await worker.ui('selectAccount', { accountId: id })
  }
  const account = await selectedAccount(worker)
  for (const sats of [60_000n, 90_000n]) await devnet.faucet(account.address, sats)
  await devnet.mine(1)
  return { world, worker, gate, account }
}

/** So many answers of the node to a transaction are these words. */
async function refuseNext(times: number, message: string): Promise<void> {
  const body = `sendrawtransaction RPC error: {"code":-26,"message":"${message}"}`
  await setFaults('POST', { endpoint: 'POST /api/tx', status: 400, body, times })
}

async function setFaults(method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const response = await fetch(`${devnet.url}/devnet/faults`, {
    method,
    ...(fault && { body: JSON.stringify(fault) }),
  })
  if (!response.ok) throw new Error(await response.text())
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
    await bump(worker, jobId, can.bump?.leastFeeRate ?? 0)
    expect((await worker.ui('getJob', { jobId })).commit.txid).not.toBe(commit.txid)
    const job = await finish(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done', problem: null })
    expect(await readTexts(world, job)).toEqual(FIVE)
  }, 120_000)

  it.each(ADDRESS_TYPES)(
    'of a %s account has waiting reveals fee-bumped once a block has the commit',
    async addressType => {
      const { world, worker, gate } = await startMinter(addressType)
      gate.takes = 2
      const { jobId } = await mintTexts(worker)
      await devnet.mine(1)
      gate.takes = 0
      await wait(world, worker, jobId)
      gate.takes = Number.POSITIVE_INFINITY
      const { can } = await worker.ui('getJobs', null).then(([job]) => job ?? Promise.reject())
      await bump(worker, jobId, can.bump?.leastFeeRate ?? 0)
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
      await refund(worker, jobId, can.refund?.leastFeeRate ?? 0)
      const job = await finish(world, worker, jobId)
      expect(job).toMatchObject({ state: 'refunded', locked: '0' })
      expect(job.items.map(({ state }) => state)).toEqual(FIVE.map(() => 'refunded'))
    },
    120_000,
  )

  it('goes on in a locked worker after a death before or after any of its six broadcasts', async () => {
    const points = new Set<string>()
    for (const moment of ['before', 'after'] as const)
      for (let count = 1; count <= 6; count++) {
        const { world, worker, gate } = await startMinter('p2tr')
        const { promise: died, resolve: die } = defer()
        let seen = 0
        let isDead = false
        gate.watch = async at => {
          if (!isDead && (at !== moment || ++seen !== count)) return
          isDead = true
          die()
          await new Promise<never>(() => {})
        }
        void mintTexts(worker)
        await died
        await Promise.allSettled(gate.onTheirWay)
        points.add(`${moment} ${count}`)
        gate.watch = async () => {}
        const next = restart(world, { keepsSession: false })
        expect((await next.ui('getState', null)).vault).toBe('locked')
        await refreshJobs(next.wallet)
        const [{ id, transactions } = { id: '', transactions: [] }] = await next.wallet.jobs.list()
        expect(transactions).toHaveLength(6)
        await devnet.mine(1)
        world.clock.now += 60_000
        await refreshJobs(next.wallet)
        const record = await next.wallet.jobs.find(id)
        const job = await viewJob(next.wallet, record ?? (await Promise.reject()))
        expect(job).toMatchObject({ state: 'done', locked: '0', problem: null })
        expect(await readTexts(world, job)).toEqual(FIVE)
        for (const { txid } of transactions)
          expect(await devnet.rpc('getrawtransaction', [txid, true])).toMatchObject({
            confirmations: 1,
          })
      }
    expect(points.size).toBe(12)
  }, 120_000)

  it('whose reveals the node refuses, as its floor rose, says so in its words, and is replaced whole', async () => {
    const { world, worker, gate } = await startMinter('p2tr')
    const { promise: hasOne, resolve } = defer()
    let taken = 0
    gate.watch = async moment => {
      // The first reveal goes before the others.
      if (moment === 'after' && ++taken === 2) {
        await refuseNext(1000, 'mempool min fee not met, 695 < 1390')
        resolve()
      }
    }
    const { jobId } = await mintTexts(worker)
    await hasOne
    const stuck = await wait(world, worker, jobId)
    expect(stuck).toMatchObject({
      state: 'stuck',
      problem: { kind: 'refused', detail: expect.stringContaining('mempool min fee not met') },
      can: { resume: true, bump: { leastFeeRate: 6 }, discard: false },
    })
    await setFaults('DELETE')
    await bump(worker, jobId, 12)
    const job = await finish(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done', problem: null, commit: { feeRate: 12 } })
    expect(job.commit.txid).not.toBe(stuck.commit.txid)
    expect(await readTexts(world, job)).toEqual(FIVE)
  }, 120_000)

  it('of 24 after change that no block has is one too many for the node, and goes on after a block', async () => {
    const { world, worker, account } = await startMinter('p2tr', 2)
    const coins = (await worker.ui('getCoins', null)).map(({ outpoint }) => outpoint)
    const draft = { memo: null, feeRate: 2, coins, label: '' }
    const recipients = [{ to: account.address, sats: '1000' }]
    const { planId, digest } = await worker.ui('planPayment', { ...draft, recipients })
    await worker.ui('confirmPayment', { planId, digest })
    const texts = Array.from({ length: 24 }, (_, i) => `text ${i}`)
    const { jobId } = await mintTexts(worker, texts)
    const stuck = await wait(world, worker, jobId)
    expect(stuck).toMatchObject({
      state: 'stuck',
      problem: { kind: 'refused', detail: expect.stringContaining('too-long-mempool-chain') },
    })
    // Which of the last four the node gets last is open.
    const states = stuck.items.map(({ state }) => state)
    expect(states.sort()).toEqual([...Array(23).fill('pending'), 'refused'])
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    const job = await finish(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done' })
    expect(await readTexts(world, job)).toEqual(texts)
  }, 120_000)

  it('whose commit another wallet with the same words replaces sends nothing more, and is over after six blocks', async () => {
    const { world, worker } = await startMinter('p2tr', 3)
    const other = await startMinter('p2tr', 3)
    const coins = (await other.worker.ui('getCoins', null)).map(({ outpoint }) => outpoint)
    const { address } = await selectedAccount(other.worker)
    const recipients = [{ to: address, sats: '1000' }]
    const draft = { recipients, memo: null, feeRate: 50, coins, label: '' }
    const { planId, digest } = await other.worker.ui('planPayment', draft)
    const { jobId } = await mintTexts(worker, ['one'])
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting' })
    const { txid } = await other.worker.ui('confirmPayment', { planId, digest })
    expect(await wait(world, worker, jobId)).toMatchObject({
      state: 'stuck',
      problem: { kind: 'commit-gone', detail: expect.stringContaining(txid) },
      can: { resume: false, bump: null, refund: null, discard: true },
    })
    await devnet.mine(6)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'ended', locked: '0' })
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 20 })
    const ended = entries.filter(({ kind }) => kind === 'commit' || kind === 'reveal')
    expect(ended.map(({ status }) => status)).toEqual(['replaced', 'replaced'])
  }, 120_000)

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

  it('makes children of an inscription, which comes back, also when the rest is fee-bumped', async () => {
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
    await bump(worker, jobId, job0?.can.bump?.leastFeeRate ?? 0)
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

describe('an etching on a real node', () => {
  const NAMES: { [type in AddressType]: string } = {
    p2tr: 'ETCHED•WITH•TAPROOT',
    p2wpkh: 'ETCHED•WITH•SEGWIT',
    'p2sh-p2wpkh': 'ETCHED•WITH•NESTED',
    p2pkh: 'ETCHED•WITH•LEGACY',
  }

  it.each(ADDRESS_TYPES)(
    'of a %s account is refused before its sixth block, and then is what devnet’s index says',
    async addressType => {
      const name = NAMES[addressType]
      const { world, worker, account } = await startMinter(addressType, 3)
      const { jobId } = await etch(worker, { name })
      await devnet.mine(4)
      expect(await wait(world, worker, jobId)).toMatchObject({ state: 'maturing', problem: null })
      const raw = (await worker.wallet.jobs.find(jobId)) ?? null
      const bytes = raw && (await worker.wallet.jobs.loadBytes(raw, 0))
      const reveal = fromHex(bytes?.raw[raw?.revealTxids[0] ?? ''] ?? '')
      await expect(world.chain.chain.broadcast(reveal)).rejects.toThrow('non-BIP68-final')
      await devnet.mine(1)
      expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
      expect(await finish(world, worker, jobId)).toMatchObject({
        ...{ state: 'done', problem: null, etching: { confirmations: 6, takenBy: null } },
      })
      expect(await world.assets.source.fetchRune(name)).toMatchObject({
        ...{ name, etching: raw?.revealTxids[0], premine: 100_050n, divisibility: 2, symbol: '⧉' },
        terms: { amount: 1_000n, cap: 500n, offset: { start: null, end: 1_000n } },
      })
      const { runes } = await worker.ui('getRunes', { offset: 0, limit: 10 })
      expect(runes).toMatchObject([{ name, amount: '1000.5', sendable: '1000.5' }])
      const { facts } = await worker.ui('getRune', { name })
      expect(facts?.proof).toBe('verified')
      expect(account.addressType).toBe(addressType)
    },
    120_000,
  )

  it('is etched again after a reorganisation took it and its commit out of the chain', async () => {
    const name = 'ETCHED•ONCE•MORE'
    const { world, worker } = await startMinter('p2tr', 4)
    const { jobId } = await etch(worker, { name })
    await devnet.mine(5)
    await wait(world, worker, jobId)
    expect(await finish(world, worker, jobId)).toMatchObject({ state: 'done' })
    await devnet.reorg(6)
    expect(await world.assets.source.fetchRune(name)).toBeNull()
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'maturing', etching: { confirmations: 0 } },
    })
    await devnet.mine(4)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'maturing' })
    await devnet.mine(1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting' })
    expect(await finish(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
    const job = await worker.wallet.jobs.find(jobId)
    expect(await world.assets.source.fetchRune(name)).toMatchObject({
      etching: job?.revealTxids[0],
    })
  }, 120_000)

  it('gives its money back before it is old enough, and the name stays free', async () => {
    const name = 'ETCHED•BY•NOBODY'
    const { world, worker } = await startMinter('p2wpkh', 5)
    const { jobId } = await etch(worker, { name })
    await devnet.mine(2)
    await wait(world, worker, jobId)
    await refund(worker, jobId, 3)
    expect(await finish(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
    await devnet.mine(6)
    expect(await world.assets.source.fetchRune(name)).toBeNull()
  }, 120_000)
})
