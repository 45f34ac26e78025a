import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startOnDevice } from '../testing/device-wallet.ts'
import {
  findCoin,
  inputsOf,
  outputsOf,
  payFromPopup,
  RECIPIENT,
  readBroadcast,
  startFunded,
} from '../testing/funded-wallet.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import { fund, type Worker, type World } from '../testing/test-wallet.ts'
import { startCosigned } from './testing/cosigners.ts'

const mergeable = async (worker: Worker) =>
  (await worker.ui('getCoins', null)).filter(coin => coin.mergeable).map(coin => coin.outpoint)

async function merge(worker: Worker, coins: string[], feeRate = 1) {
  const { planId, digest, review } = await worker.ui('planMerge', { coins, feeRate })
  return { review, ...(await worker.ui('confirmPayment', { planId, digest })) }
}

describe('merging small coins', () => {
  it('makes one coin of the account of those that were named, with the exact fee, and is noted as moved', async () => {
    const { world, worker, account, txids } = await startFunded(2_000n, 3_000n, 1_700n, 90_000n)
    const coins = txids.slice(0, 3).map(txid => `${txid}:0`)
    const { txid, review } = await merge(worker, coins, 1.5)
    const sent = readBroadcast(world, txid)
    expect(new Set(inputsOf(sent))).toEqual(new Set(coins))
    const fee = BigInt(Math.ceil(sent.vsize * 1.5))
    expect(outputsOf(sent)).toEqual([{ address: account.address, sats: 6_700n - fee }])
    expect(review).toMatchObject({
      ...{ purpose: 'merge', recipients: [], sats: '0', fee: String(fee), warnings: [] },
      balanceAfter: String(96_700n - fee),
    })
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ kind: 'moved', net: String(-fee), counterparty: null })
  })

  it('can be sped up: the one coin pays for it, and no other is added', async () => {
    const { world, worker, txids } = await startFunded(20_000n, 30_000n, 90_000n)
    const coins = txids.slice(0, 2).map(txid => `${txid}:0`)
    const first = await merge(worker, coins)
    const { planId, digest } = await worker.ui('planBump', {
      ...{ txid: first.txid, kind: 'speed-up', feeRate: 9 },
    })
    const { txid } = await worker.ui('confirmPayment', { planId, digest })
    const sent = readBroadcast(world, txid)
    expect(new Set(inputsOf(sent))).toEqual(new Set(coins))
    expect(outputsOf(sent).map(({ sats }) => sats)).toEqual([
      50_000n - BigInt(Math.ceil(sent.vsize * 9)),
    ])
  })

  it('is refused for what does not fit, with the field that is wrong', async () => {
    const { world, worker, account, txids } = await startFunded(2_000n, 3_000n, 1_100n)
    const [one, two, three] = txids.map(txid => `${txid}:0`) as [string, string, string]
    const waiting = `${fund(world, account.address, 5_000n, { confirmed: false })}:0`
    const refused = (coins: string[], feeRate = 1) =>
      worker.ui('planMerge', { coins, feeRate }).catch(error => error)
    expect(await refused([one])).toMatchObject({
      code: -32602,
      message: expect.stringContaining('at least two coins'),
    })
    expect(await refused([one, one])).toMatchObject({ code: -32602 })
    expect(await refused([])).toMatchObject({ code: -32602 })
    expect(await refused([one, `${'ab'.repeat(32)}:0`])).toMatchObject({ code: -32602 })
    expect(await refused([one, waiting])).toMatchObject({ data: { reason: 'COINS_HELD' } })
    // A Taproot input is 58 vB, so 1,160 sats at 20 sat/vB.
    expect(await refused([one, two, three], 20)).toMatchObject({
      code: -32602,
      message: expect.stringContaining('more than 1160 sats'),
    })
    // Both together do not pay for what a transaction takes besides its inputs.
    expect(await refused([one, two], 33)).toMatchObject({ data: { reason: 'INSUFFICIENT_FUNDS' } })
  })

  it('leaves coins alone that the person unlocked, also such as nothing sits on any more', async () => {
    const { world, worker, txids } = await startFunded(2_000n, 3_000n, 4_000n)
    const [one, two, three] = txids.map(txid => `${txid}:0`) as [string, string, string]
    world.assets.inscribe(one)
    const shown = await findCoin(worker, one)
    if (!shown) throw new Error('No coin')
    await worker.ui('setCoinChoice', { outpoint: one, choice: 'unlocked', shown })
    await worker.ui('setCoinChoice', { outpoint: two, choice: 'unlocked' })
    expect(await findCoin(worker, one)).toMatchObject({ held: null, mergeable: false })
    expect(await mergeable(worker)).toEqual([three])
    for (const coin of [one, two])
      await expect(
        worker.ui('planMerge', { coins: [coin, three], feeRate: 1 }),
      ).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('confirmed coins with nothing on them'),
      })
  })

  it('is planned anew where something turns out to sit on a coin before it is signed', async () => {
    const { world, worker, txids } = await startFunded(2_000n, 3_000n)
    const coins = txids.map(txid => `${txid}:0`)
    const { planId, digest } = await worker.ui('planMerge', { coins, feeRate: 1 })
    world.assets.inscribe(coins[1] ?? '')
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('takes as many of the smallest as nodes relay in one transaction, and leaves the rest', async () => {
    const sats = Array.from({ length: 1_745 }, (_, at) => 1_001n + BigInt(at))
    const { worker } = await startFunded(...sats)
    const { review } = await worker.ui('planMerge', {
      ...{ coins: await mergeable(worker), feeRate: 1 },
    })
    // 1,738 inputs of 230 WU, and 222 WU besides, are 399,962 WU.
    expect([review.inputs.length, review.vsize]).toEqual([1_738, Math.ceil(399_962 / 4)])
    expect(review.inputs.map(input => BigInt(input.sats ?? 0))).toContain(1_001n)
    expect(Math.max(...review.inputs.map(input => Number(input.sats)))).toBe(2_738)
  }, 60_000)

  it('goes to a change address of an account of many, and says how many addresses it links', async () => {
    const { world, worker, device } = await startOnDevice('p2wpkh', 4_000n)
    fund(world, device.addressAt('p2wpkh', 0, 1), 5_000n)
    fund(world, device.addressAt('p2wpkh', 0, 2), 6_000n)
    await worker.ui('getOverview', { retry: true })
    const coins = await mergeable(worker)
    const { planId, digest, review } = await worker.ui('planMerge', { coins, feeRate: 1 })
    expect(review.warnings).toContainEqual({ kind: 'joins-addresses', count: 3 })
    expect(review.outputs).toMatchObject([{ address: device.addressAt('p2wpkh', 1, 0) }])
    const { task } = await worker.ui('getDeviceTask', { planId, digest })
    const returned = device.signAll(task)
    const { txid } = await worker.ui('confirmPayment', { planId, digest, returned })
    expect(inputsOf(readBroadcast(world, txid))).toHaveLength(3)
  })

  it('goes round the signers of a shared account, and is refused for one that is only watched', async () => {
    const { worker } = await startCosigned('p2wsh', 4_000n, 5_000n)
    const { planId, digest, review } = await worker.ui('planMerge', {
      ...{ coins: await mergeable(worker), feeRate: 1 },
    })
    expect(review).toMatchObject({ purpose: 'merge', inputs: { length: 2 } })
    expect(await worker.ui('getCosigning', { planId, digest })).toMatchObject({
      psbt: expect.any(String),
    })
    const watched = await startFunded(4_000n)
    const added = await watched.worker.ui('watchAddress', {
      ...{ address: RECIPIENT, name: 'Watched' },
    })
    await watched.worker.ui('selectAccount', { accountId: added.id })
    await expect(
      watched.worker.ui('planMerge', { coins: [`${'ab'.repeat(32)}:0`], feeRate: 1 }),
    ).rejects.toMatchObject({ data: { reason: 'WATCHED_ONLY' } })
  })
})

/** What may be so of a coin; the judge notes it itself and asks the wallet nothing. */
const FATES = {
  clean: { isClean: true },
  locked: { isClean: false },
  inscribed: { isClean: false },
  released: { isClean: false },
  runic: { isClean: false },
  unknown: { isClean: false },
  contradicted: { isClean: false },
  unconfirmed: { isClean: false },
  reserved: { isClean: false },
}
type Fate = keyof typeof FATES

/** What the chain and the index have of it. */
function place({ assets }: World, outpoint: string, fate: Fate): void {
  if (fate === 'inscribed' || fate === 'released') assets.inscribe(outpoint)
  if (fate === 'runic') assets.etch(outpoint)
  if (fate === 'unknown') assets.lie(outpoint, { known: false, why: 'unanswered' })
  if (fate === 'contradicted') assets.lie(outpoint, { known: false, why: 'contradicted' })
}

/** What the person decides, or pays. */
async function decide(worker: Worker, outpoint: string, fate: Fate): Promise<void> {
  if (fate === 'locked') await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
  if (fate === 'reserved')
    await payFromPopup(worker, {
      ...{ coins: [outpoint], recipients: [{ to: RECIPIENT, sats: 'max' }] },
    })
  const shown = await findCoin(worker, outpoint)
  if (fate === 'released' && shown)
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown })
}

describe('a merge, whatever sits on the coins and whatever was decided about them', () => {
  it('spends clean coins alone, all that were named, and is refused where one of those is not', async () => {
    const tally = { merged: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.integer(), async seed => {
        const random = createSeededRandom(seed)
        const { world, worker, account } = await startFunded()
        const fates = new Map<string, Fate>()
        for (let at = 0; at < 8; at++) {
          const fate = random.chance(0.5) ? 'clean' : random.pick(Object.keys(FATES) as Fate[])
          const confirmed = fate !== 'unconfirmed'
          const sats = 1_000n + BigInt(random.below(20_000))
          fates.set(`${fund(world, account.address, sats, { confirmed })}:0`, fate)
        }
        for (const [outpoint, fate] of fates) place(world, outpoint, fate)
        for (const [outpoint, fate] of fates) await decide(worker, outpoint, fate)
        const isClean = (outpoint: string) => {
          const fate = fates.get(outpoint)
          return fate !== undefined && FATES[fate].isClean
        }
        const offered = await mergeable(worker)
        expect(new Set(offered)).toEqual(new Set([...fates.keys()].filter(isClean)))
        const named = [...fates.keys()].filter(
          outpoint => random.chance(0.5) && (isClean(outpoint) || random.chance(0.4)),
        )
        const feeRate = 1 + random.below(30) / 10
        const before = world.chain.broadcasts.length
        try {
          const { txid } = await merge(worker, named, feeRate)
          const sent = readBroadcast(world, txid)
          expect(named.every(isClean)).toBe(true)
          expect(new Set(inputsOf(sent))).toEqual(new Set(named))
          expect(outputsOf(sent)).toMatchObject([{ address: account.address }])
          tally.merged++
        } catch (error) {
          if (named.length > 1 && named.every(isClean)) throw error
          expect(world.chain.broadcasts).toHaveLength(before)
          tally.refused++
        }
      }),
      { numRuns: 60 },
    )
    expect(Math.min(tally.merged, tally.refused)).toBeGreaterThan(5)
  }, 120_000)
})
