import { describe, expect, it } from 'vitest'
import type { UnknownReason } from '../../ordinals/asset.ts'
import { atomicalOfKey } from '../../ordinals/asset-key.ts'
import { type AtomicalCoin, startWithAtomicals } from '../testing/atomical-wallet.ts'
import { inputsOf, outputsOf, RECIPIENT, readBroadcast } from '../testing/funded-wallet.ts'
import type { Worker } from '../testing/test-wallet.ts'
import type { PaymentPlanView } from '../views/payment-views.ts'

const TOKEN = `${'ef'.repeat(32)}i0`
const OTHER = `${'cd'.repeat(32)}i0`
const KEY = `${TOKEN}-Atomicals`

type Started = Awaited<ReturnType<typeof startWithAtomicals>>

/** Coins of as many sats as they hold units of the token. */
function units(...amounts: bigint[]): AtomicalCoin[] {
  return amounts.map(amount => ({
    sats: amount,
    with: [{ id: TOKEN, type: 'ft', amount, name: 'satch' }],
  }))
}

function plan(
  worker: Worker,
  amount: number,
  to = RECIPIENT,
  id = TOKEN,
): Promise<PaymentPlanView> {
  const order = { id, amount: String(amount), to, feeRate: 2, label: 'units' }
  return worker.ui('planTokenTransfer', order)
}

async function send(started: Started, amount: number, to = RECIPIENT) {
  const { worker, world } = started
  const { planId, digest, review } = await plan(worker, amount, to)
  const { txid } = await worker.ui('confirmPayment', { planId, digest })
  return { txid, review, sent: readBroadcast(world, txid) }
}

describe('units of a token', () => {
  it('go in the amount that was asked for, and what is left of their coins comes back', async () => {
    const started = await startWithAtomicals(units(1_000n, 3_000n))
    const { account, outpoints } = started
    const { txid, review, sent } = await send(started, 1_200)
    expect(inputsOf(sent)[0]).toBe(outpoints[1])
    expect(outputsOf(sent)).toMatchObject([
      { address: RECIPIENT, sats: 1_200n },
      { address: account.address, sats: 1_800n },
      { address: account.address },
    ])
    expect(started.assetsAfter(txid)).toEqual([`0 ${KEY} 1200`, `1 ${KEY} 1800`])
    expect(review).toMatchObject({
      purpose: 'transfer',
      recipients: [{ address: RECIPIENT, sats: '1200' }],
    })
    expect(review.fee).toBe(String(Math.ceil(sent.vsize * 2)))
  })

  it('go exactly where one coin is just right, and leave the others alone', async () => {
    const started = await startWithAtomicals(units(5_000n, 800n, 600n))
    const { txid, sent } = await send(started, 800)
    expect(inputsOf(sent)[0]).toBe(started.outpoints[1])
    expect(started.assetsAfter(txid)).toEqual([`0 ${KEY} 800`])
  })

  it('go from several coins together, all of them too', async () => {
    const started = await startWithAtomicals(units(700n, 900n, 600n))
    const { txid, sent } = await send(started, 2_200)
    expect(inputsOf(sent).slice(0, 3).toSorted()).toEqual(started.outpoints.toSorted())
    expect(started.assetsAfter(txid)).toEqual([`0 ${KEY} 2200`])
  })

  it('are shown: what goes, and what comes back', async () => {
    const { worker } = await startWithAtomicals(units(3_000n))
    const { review } = await plan(worker, 1_200)
    const shown = review.assets.map(({ asset, to, output }) => [
      to,
      output,
      asset.kind === 'atomical' ? [asset.id, asset.amount] : null,
    ])
    expect(shown).toEqual([
      ['foreign', 0, [TOKEN, '1200']],
      ['own', 1, [TOKEN, '1800']],
    ])
  })

  it('that came back are known at once, and can be sent on before a block has them', async () => {
    const started = await startWithAtomicals(units(3_000n))
    const { txid } = await send(started, 1_200)
    const coins = await started.worker.ui('getCoins', null)
    expect(coins.find(({ outpoint }) => outpoint === `${txid}:1`)).toMatchObject({
      ...{ held: 'atomical', sats: '1800' },
      assets: [{ id: TOKEN, amount: '1800' }],
    })
    // Of coins in no block the server foresees nothing, and nothing is signed that it does not.
    started.world.atomicals.foretell(() => ({ outputs: [], burned: [] }))
    const again = plan(started.worker, 800)
    await expect(again).rejects.toMatchObject({ data: { reason: 'PROTECTED_ASSET' } })
    started.world.atomicals.foretell(() => {
      const landed = [800n, 1_000n].map((amount, output) => ({ output, amount }))
      return { outputs: landed.map(one => ({ ...one, id: TOKEN, type: 'ft' })), burned: [] }
    })
    const { sent } = await send(started, 800)
    expect(inputsOf(sent)[0]).toBe(`${txid}:1`)
  })

  it('go from coins that are in no block yet only once they are', async () => {
    const started = await startWithAtomicals(units(1_000n))
    const { world, worker, outpoints } = started
    world.chain.reorg(1)
    await expect(plan(worker, 1_000)).rejects.toMatchObject({ code: -32602 })
    world.chain.mine()
    const { txid, sent } = await send(started, 1_000)
    expect(inputsOf(sent)[0]).toBe(outpoints[0])
    expect(started.assetsAfter(txid)).toEqual([`0 ${KEY} 1000`])
  })
})

describe('units are not sent', () => {
  it('in an amount that no output holds: the least is named', async () => {
    const { worker, world } = await startWithAtomicals(units(3_000n))
    for (const amount of [1, 294, 545]) {
      await expect(plan(worker, amount)).rejects.toMatchObject({
        ...{ code: -32602, message: expect.stringContaining('amount'), data: { nearest: ['546'] } },
      })
    }
    expect((await plan(worker, 546)).review.recipients).toMatchObject([{ sats: '546' }])
    expect(world.chain.broadcasts).toEqual([])
  })

  it('where too few would come back: the nearest amounts are named', async () => {
    const { worker } = await startWithAtomicals(units(3_000n))
    for (const amount of [2_455, 2_700, 2_999]) {
      await expect(plan(worker, amount)).rejects.toMatchObject({
        code: -32602,
        data: { nearest: ['2454', '3000'] },
      })
    }
    expect((await plan(worker, 2_454)).review.recipients).toMatchObject([{ sats: '2454' }])
    expect((await plan(worker, 3_000)).review.recipients).toMatchObject([{ sats: '3000' }])
  })

  it('in a larger amount than there is', async () => {
    const { worker } = await startWithAtomicals(units(1_000n, 2_000n))
    await expect(plan(worker, 3_001)).rejects.toMatchObject({
      code: -32602,
      data: { nearest: ['3000'] },
    })
  })

  it('of a token that the account does not have', async () => {
    const { worker } = await startWithAtomicals(units(3_000n))
    await expect(plan(worker, 1_000, RECIPIENT, OTHER)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('a token of which units can be sent'),
    })
  })

  it('from coins with anything else on them', async () => {
    const token = { id: TOKEN, type: 'ft' as const, amount: 900n }
    const coins: AtomicalCoin[] = [
      { sats: 900n, with: [token, {}] },
      { sats: 900n, with: [token, { id: OTHER, type: 'ft', amount: 100n }] },
      { sats: 900n, with: [token], inscribed: [{}] },
      { sats: 900n, with: [token] },
    ]
    const started = await startWithAtomicals(coins)
    await expect(plan(started.worker, 1_800)).rejects.toMatchObject({
      code: -32602,
      data: { nearest: ['900'] },
    })
    const { txid, sent } = await send(started, 900)
    expect(inputsOf(sent)[0]).toBe(started.outpoints[3])
    for (const outpoint of started.outpoints.slice(0, 3))
      expect(inputsOf(sent)).not.toContain(outpoint)
    expect(started.assetsAfter(txid)).toEqual([`0 ${KEY} 900`])
  })

  it('from locked coins, and never from NFTs or other tokens', async () => {
    const coins: AtomicalCoin[] = [...units(1_000n), { sats: 546n, with: [{}] }]
    const { worker, outpoints, keys } = await startWithAtomicals(coins)
    const nft = atomicalOfKey(keys[1] ?? '') ?? ''
    for (const id of [nft, OTHER])
      await expect(plan(worker, 1_000, RECIPIENT, id)).rejects.toMatchObject({ code: -32602 })
    await worker.ui('setCoinChoice', { outpoint: outpoints[0] ?? '', choice: 'locked' })
    await expect(plan(worker, 1_000)).rejects.toMatchObject({ code: -32602 })
  })

  it('where the server sees another amount land, or something burned, or says nothing', async () => {
    const { worker, world } = await startWithAtomicals(units(3_000n))
    const landed = (output: number, amount: bigint) => ({
      output,
      id: TOKEN,
      type: 'ft' as const,
      amount,
    })
    for (const blueprint of [
      { outputs: [landed(0, 1_200n), landed(1, 1_799n)], burned: [] },
      { outputs: [landed(0, 1_200n), landed(1, 1_800n)], burned: [{ id: TOKEN, amount: 1n }] },
      { outputs: [landed(0, 3_000n)], burned: [] },
      { outputs: [], burned: [] },
    ]) {
      world.atomicals.foretell(() => blueprint)
      await expect(plan(worker, 1_200)).rejects.toMatchObject({
        data: { reason: 'PROTECTED_ASSET' },
      })
    }
    world.atomicals.faults.unreachable = true
    await expect(plan(worker, 1_200)).rejects.toMatchObject({ code: -32000 })
    expect(world.chain.broadcasts).toEqual([])
  })

  it.each<UnknownReason>(['behind', 'contradicted', 'unanswered'])(
    'from coins of unknown content (%s)',
    async why => {
      const { worker, world, outpoints } = await startWithAtomicals(units(1_000n, 2_000n))
      world.atomicals.lie(outpoints[1] ?? '', { known: false, why })
      await expect(plan(worker, 2_000)).rejects.toMatchObject({ code: -32602 })
      expect(inputsOfPlan(await plan(worker, 1_000))).not.toContain(outpoints[1])
    },
  )

  it('with a fee from coins that hold anything', async () => {
    const coins: AtomicalCoin[] = [...units(1_000n), { sats: 90_000n, with: [{}] }]
    const { worker } = await startWithAtomicals(coins, [])
    await expect(plan(worker, 1_000)).rejects.toMatchObject({ data: { reason: 'COINS_HELD' } })
  })
})

function inputsOfPlan({ review }: PaymentPlanView): string[] {
  return review.inputs.map(({ outpoint }) => outpoint)
}
