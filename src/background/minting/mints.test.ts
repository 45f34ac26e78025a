import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { decipherRunestone } from '../../ordinals/runes/runestone.ts'
import {
  draft,
  findCoin,
  inputsOf,
  RECIPIENT,
  readBroadcast,
  startFunded,
} from '../testing/funded-wallet.ts'
import { fund, startWorker, type Worker, type World } from '../testing/test-wallet.ts'

const GOLD = 'GOLD•OF•TESTS'
const ID = '90:1'
const NONE = { start: null, end: null }

/** A wallet with clean coins, an inscription and a rune of its own, and a rune that can be minted. */
async function startWithMint({ cap = 100n, end = null as bigint | null, mints = 0n } = {}) {
  const started = await startFunded(90_000n, 80_000n, 546n, 547n)
  const { world, txids } = started
  world.assets.inscribe(`${txids[2]}:0`)
  world.assets.etch(`${txids[3]}:0`, { name: 'SILVER•OF•TESTS', rune: '90:2', amount: 3n })
  world.assets.etch('', { name: GOLD, rune: ID, amount: 1n, divisibility: 2, symbol: 'G' })
  const terms = { amount: 1_000n, cap, height: { ...NONE, end }, offset: NONE }
  world.assets.describeRune(ID, { terms, mints, isMintable: true })
  return started
}

const plan = (worker: Worker, count: number, feeRate = 2) =>
  worker.ui('planRuneMint', { rune: GOLD, count, feeRate, label: 'gold of mine' })

async function mint(worker: Worker, count: number) {
  const { planId, digest, review } = await plan(worker, count)
  const { jobId } = await worker.ui('confirmRuneMint', { planId, digest })
  return { review, jobId, view: await worker.ui('getRuneMint', { mintId: jobId }) }
}

/** Looks again, later. */
async function look(world: World, worker: Worker, mintId: string) {
  world.clock.now += 20_000
  const { state, stopped, problem, minted, mints } = await worker.ui('getRuneMint', { mintId })
  return { state, stopped, problem, minted, mints: mints.map(one => one.state) }
}

/** Somebody else mints, in a block of their own. */
function mintElsewhere(world: World, count: number) {
  const facts = { amount: 1_000n, cap: 100n, height: NONE, offset: NONE }
  world.assets.describeRune(ID, { terms: facts, mints: BigInt(count), isMintable: true })
}

const isGold = (asset: { kind: string; name?: string }) => asset.name === GOLD

describe('mints of a rune', () => {
  it('are one approval, one transaction each and one coin each, paid by clean coins alone', async () => {
    const { world, worker, txids } = await startWithMint()
    const { review, view } = await mint(worker, 3)
    expect(review).toMatchObject({
      rune: { id: ID, name: GOLD, symbol: 'G', proof: 'server' },
      ...{ count: 3, each: '10', total: '30', remaining: '100', end: null, postage: '546' },
      warnings: [],
    })
    expect(view).toMatchObject({ state: 'waiting', stopped: null, minted: '0' })
    expect(world.chain.broadcasts).toEqual(view.mints.map(({ txid }) => txid))
    const transactions = world.chain.broadcasts.map(txid => readBroadcast(world, txid))
    const spent = transactions.flatMap(inputsOf)
    for (const held of [`${txids[2]}:0`, `${txids[3]}:0`]) expect(spent).not.toContain(held)
    expect(spent.slice(-2)).toEqual(world.chain.broadcasts.slice(0, 2).map(txid => `${txid}:2`))
    for (const transaction of transactions) {
      const scripts = Array.from(
        { length: transaction.outputsLength },
        (_, at) => transaction.getOutput(at).script ?? new Uint8Array(),
      )
      expect(decipherRunestone(scripts)).toMatchObject({ kind: 'runestone', mint: ID, edicts: [] })
    }
    world.chain.mine()
    expect(await look(world, worker, view.id)).toEqual({
      ...{ state: 'done', stopped: null, problem: null, minted: '30' },
      mints: ['minted', 'minted', 'minted'],
    })
    for (const txid of world.chain.broadcasts)
      expect(world.assets.truth(`${txid}:0`)).toMatchObject([{ name: GOLD, amount: 1_000n }])
    const { runes } = await worker.ui('getRunes', { offset: 0, limit: 10 })
    expect(runes.find(isGold as never)).toMatchObject({ amount: '30', sendable: '30', coins: 3 })
  })

  it('cost what the review says, in sats and for each whole rune', async () => {
    const { world, worker } = await startWithMint()
    const before = await worker.ui('getOverview', null)
    const { review } = await mint(worker, 4)
    world.chain.mine()
    const after = await worker.ui('getOverview', null)
    const paid = BigInt(before.balance?.confirmed ?? 0) - BigInt(after.balance?.confirmed ?? 0)
    expect(String(paid)).toBe(review.fee)
    expect(review.transactions.map(({ fee }) => BigInt(fee)).reduce((a, b) => a + b)).toBe(paid)
    // 40 whole runes for these sats.
    expect(Number(review.perRune)).toBeCloseTo(Number(paid) / 40, 6)
  })

  it('that are in the mempool count for nothing yet, and nothing spends their coins', async () => {
    const { worker } = await startWithMint()
    const { view } = await mint(worker, 2)
    const [first, second] = view.mints
    for (const { txid = '' } of [first ?? {}, second ?? {}])
      expect(await findCoin(worker, `${txid}:0`)).toMatchObject({
        ...{ held: 'unconfirmed', sats: '546', assets: [] },
      })
    expect(await findCoin(worker, `${first?.txid}:3`)).toMatchObject({ held: null })
    const { runes } = await worker.ui('getRunes', { offset: 0, limit: 10 })
    expect(runes.find(isGold as never)).toBeUndefined()
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 } as never)
    expect(entries.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'mint pending',
      'mint pending',
      ...entries.slice(2).map(({ kind, status }) => `${kind} ${status}`),
    ])
  })

  it.each([
    ['not a count', 0, '1 to 24 mints'],
    ['more than nodes relay', 25, '1 to 24 mints'],
    ['a part', 1.5, '1 to 24 mints'],
    ['a text', '3', '1 to 24 mints'],
    ['more than are left', 6, 'at most 5, which is what is left'],
  ])('are refused with the name of the field: %s', async (_, count, expected) => {
    const { worker } = await startWithMint({ mints: 95n })
    await expect(plan(worker, count as number)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`count: expected ${expected}`),
    })
  })

  it('of what cannot be minted are refused with the reason', async () => {
    const { world, worker } = await startWithMint({ mints: 100n })
    const refused = (expected: string) =>
      expect(plan(worker, 1)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(new RegExp(`^rune: .*${expected}`)),
      })
    await refused('all mints of this one are done')
    const next = BigInt(world.chain.tip() + 1)
    const say = (height: { start: bigint | null; end: bigint | null }) =>
      world.assets.describeRune(ID, {
        terms: { amount: 1n, cap: 1n, height, offset: NONE },
      })
    say({ start: next + 1n, end: null })
    await refused(`from block ${next + 1n} on`)
    say({ start: null, end: next })
    await refused(`before block ${next} only`)
    world.assets.describeRune(ID, { terms: null })
    await refused('no terms')
    await expect(
      worker.ui('planRuneMint', { rune: 'NOBODY', count: 1, feeRate: 2, label: '' }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/^rune: /) })
  })

  it('are confirmed twice and made once', async () => {
    const { world, worker } = await startWithMint()
    const { planId, digest } = await plan(worker, 2)
    const confirm = () => worker.ui('confirmRuneMint', { planId, digest })
    const ids = await Promise.all([confirm(), confirm()])
    expect(new Set(ids.map(({ jobId }) => jobId)).size).toBe(1)
    expect(new Set(world.chain.broadcasts).size).toBe(2)
    await expect(
      worker.ui('confirmRuneMint', { planId, digest: 'ff'.repeat(32) }),
    ).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
  })

  it('leave coins alone that the person unlocked, whatever is on them or nobody tells of', async () => {
    const { world, worker, account } = await startWithMint()
    const outpoints = [300_000n, 200_000n].map(sats => `${fund(world, account.address, sats)}:0`)
    const [inscribed = '', unknown = ''] = outpoints
    world.assets.inscribe(inscribed)
    world.assets.lie(unknown, { known: false, why: 'unanswered' })
    for (const outpoint of outpoints) {
      const shown = await findCoin(worker, outpoint)
      await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown } as never)
      expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    }
    for (const feeRate of [1, 20, 40]) {
      const { review, ...planned } = await plan(worker, 2, feeRate)
      for (const { outpoint } of review.inputs) expect(outpoints).not.toContain(outpoint)
      await worker.ui('confirmRuneMint', planned)
      world.chain.mine()
    }
  })

  it('are not signed once a coin of them holds something, or another payment has it', async () => {
    const { world, worker } = await startWithMint()
    const first = await plan(worker, 2)
    const second = await plan(worker, 2)
    await worker.ui('confirmRuneMint', first)
    await expect(worker.ui('confirmRuneMint', second)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(world.chain.broadcasts).toHaveLength(2)
  })
})

describe('mints of which fewer are left than were approved', () => {
  it('are handed over as far as there are, and the rest is stopped when the cap is reached', async () => {
    const { world, worker } = await startWithMint()
    const { planId, digest } = await plan(worker, 5)
    mintElsewhere(world, 97)
    const { jobId } = await worker.ui('confirmRuneMint', { planId, digest })
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{ state: 'minting', stopped: null },
      mints: ['pending', 'pending', 'pending', 'waiting', 'waiting'],
    })
    expect(world.chain.broadcasts).toHaveLength(3)
    world.chain.mine()
    expect(await look(world, worker, jobId)).toEqual({
      ...{ state: 'stopped', stopped: 'cap', problem: null, minted: '30' },
      mints: ['minted', 'minted', 'minted', 'dropped', 'dropped'],
    })
    expect(world.chain.broadcasts).toHaveLength(3)
    // What the others would have cost is there again.
    const pot = await findCoin(worker, `${world.chain.broadcasts[2]}:2`)
    expect(pot).toMatchObject({ held: null })
  })

  it('that a block has all the same gave nothing: their coins are clean again and nothing else is lost', async () => {
    const { world, worker } = await startWithMint()
    const { jobId } = await mint(worker, 3)
    mintElsewhere(world, 99)
    world.chain.mine()
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{ state: 'done', minted: '10' },
      mints: ['minted', 'empty', 'empty'],
    })
    const [first, second] = world.chain.broadcasts
    expect(await findCoin(worker, `${first}:0`)).toMatchObject({ held: 'runic' })
    expect(await findCoin(worker, `${second}:0`)).toMatchObject({ held: null, assets: [] })
  })

  it('leave change that payments spend, and none of them a coin of a mint', async () => {
    const { world, worker } = await startWithMint()
    await mint(worker, 3)
    mintElsewhere(world, 99)
    world.chain.mine()
    const { balance } = await worker.ui('getOverview', null)
    const sats = String(BigInt(balance?.confirmed ?? 0) - 8_000n)
    const planned = await worker.ui(
      'planPayment',
      draft({ recipients: [{ to: RECIPIENT, sats }], feeRate: 2 }),
    )
    const { txid } = await worker.ui('confirmPayment', planned)
    const minted = world.chain.broadcasts.slice(0, 3).map(one => `${one}:0`)
    const spent = inputsOf(readBroadcast(world, txid))
    expect(spent.filter(outpoint => minted.includes(outpoint))).toEqual([])
    expect(spent).toContain(`${world.chain.broadcasts[0]}:3`)
  })

  it('stop at the last block of the terms', async () => {
    const { world, worker } = await startWithMint({ end: 110n })
    const { review, jobId } = await mint(worker, 2)
    expect(review.end?.height).toBe(110)
    world.chain.evict(world.chain.broadcasts[1] ?? '')
    const tip = world.chain.mine()
    world.chain.mine(110 - tip)
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{ state: 'stopped', stopped: 'end', mints: ['minted', 'dropped'] },
    })
  })
})

describe('mints under way', () => {
  it('go on in another worker, while the wallet is locked, and after a server was away', async () => {
    const { world, worker } = await startWithMint()
    const { planId, digest } = await plan(worker, 3)
    world.assets.faults.unreachable = true
    const { jobId } = await worker.ui('confirmRuneMint', { planId, digest })
    expect(world.chain.broadcasts).toHaveLength(0)
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{
        state: 'stuck',
        problem: { kind: 'unanswered' },
        mints: ['waiting', 'waiting', 'waiting'],
      },
    })
    world.assets.faults.unreachable = false
    await worker.ui('lock', null)
    world.clock.now += 20_000
    const next = startWorker(world)
    await next.wallet.followJobs()
    expect(world.chain.broadcasts).toHaveLength(3)
  })

  it('that were dropped from the mempool, or refused, are handed over again', async () => {
    const { world, worker } = await startWithMint()
    const { jobId } = await mint(worker, 3)
    world.chain.evict(world.chain.broadcasts[0] ?? '')
    world.chain.faults.refuse = 'mempool min fee not met'
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{ state: 'stuck', problem: { kind: 'refused', detail: 'mempool min fee not met' } },
      mints: ['waiting', 'waiting', 'waiting'],
    })
    delete world.chain.faults.refuse
    expect(await look(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    world.chain.mine()
    expect(await look(world, worker, jobId)).toMatchObject({ state: 'done', minted: '30' })
  })

  it('wait while the index is behind the chain', async () => {
    const { world, worker } = await startWithMint()
    const { planId, digest } = await plan(worker, 2)
    world.chain.mine()
    world.assets.faults.lagBlocks = 1
    const { jobId } = await worker.ui('confirmRuneMint', { planId, digest })
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{ state: 'minting', problem: { kind: 'behind' } },
    })
    expect(world.chain.broadcasts).toHaveLength(0)
    delete world.assets.faults.lagBlocks
    expect(await look(world, worker, jobId)).toMatchObject({ state: 'waiting' })
  })

  it('are stopped by the person: what was not sent never is, and its sats are free', async () => {
    const { world, worker } = await startWithMint()
    world.chain.faults.refuse = 'too-long-mempool-chain'
    const { jobId, view } = await mint(worker, 3)
    expect(view.can).toEqual({ resume: true, stop: true })
    const stopped = await worker.ui('stopRuneMint', { mintId: jobId })
    expect(stopped).toMatchObject({ state: 'stopped', stopped: 'person', fee: '0' })
    delete world.chain.faults.refuse
    await look(world, worker, jobId)
    expect(world.chain.broadcasts).toHaveLength(0)
    const coins = await worker.ui('getCoins', null)
    expect(coins.filter(({ held }) => held === 'reserved')).toEqual([])
  })

  it('end where another transaction spends their coin', async () => {
    const { world, worker } = await startWithMint()
    world.chain.faults.refuse = 'mempool full'
    const { jobId, review } = await mint(worker, 2)
    const other = new Transaction()
    for (const { outpoint } of review.inputs) {
      const { txid, vout } = parseOutpoint(outpoint)
      other.addInput(fromHex(txid).reverse(), vout)
    }
    other.addOutput(Uint8Array.of(0x51), 1_000n)
    world.chain.add(Uint8Array.from(other.toBuffer()))
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{ state: 'stopped', stopped: 'conflict', mints: ['dropped', 'dropped'] },
    })
  })

  it('come back when a block is undone, and give what the new one says', async () => {
    const { world, worker } = await startWithMint()
    const { jobId } = await mint(worker, 2)
    world.chain.mine()
    expect(await look(world, worker, jobId)).toMatchObject({ state: 'done', minted: '20' })
    world.chain.reorg()
    world.clock.now += 60_000
    expect(await look(world, worker, jobId)).toMatchObject({ state: 'waiting', minted: '0' })
    mintElsewhere(world, 99)
    world.chain.mine()
    expect(await look(world, worker, jobId)).toMatchObject({
      ...{ state: 'done', minted: '10', mints: ['minted', 'empty'] },
    })
  })
})
