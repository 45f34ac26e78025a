import { describe, expect, it } from 'vitest'
import { inputsOf, outputsOf, RECIPIENT, readBroadcast } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import type { Worker, World } from '../testing/test-wallet.ts'
import type { BumpKind, PaymentPlanView } from '../views/payment-views.ts'

const BTC = 100_000_000n

async function confirm(worker: Worker, { planId, digest, review }: PaymentPlanView) {
  return { ...(await worker.ui('confirmPayment', { planId, digest })), review }
}

async function transfer(worker: Worker, ids: string[], to = RECIPIENT, feeRate = 2) {
  return confirm(worker, await worker.ui('planTransfer', { ids, to, feeRate, label: 'a gift' }))
}

async function bump(worker: Worker, txid: string, kind: BumpKind) {
  const feeRate = (await worker.ui('getBumpOptions', { txid }))[kind].leastFeeRate ?? 0
  return confirm(worker, await worker.ui('planBump', { txid, kind, feeRate }))
}

async function split(worker: Worker, outpoint: string, postage = 546) {
  return confirm(worker, await worker.ui('planSplit', { outpoint, postage, feeRate: 2 }))
}

/** Ids in truth on each output. */
function idsOn(world: World, txid: string): string[][] {
  return outputsOf(readBroadcast(world, txid)).map((_, vout) =>
    world.assets
      .truth(`${txid}:${vout}`)
      .map(asset => (asset.kind === 'rune' ? asset.name : asset.id)),
  )
}

const TWO = [
  { sats: 546n, with: [{ offset: 5n }] },
  { sats: 900n, with: [{ offset: 899n }] },
]

describe('a transfer from our own pages', () => {
  it('is what was shown, is noted in the activity, and is the same one when confirmed again', async () => {
    const { world, worker, ids } = await startInscribed(TWO)
    const plan = await worker.ui('planTransfer', {
      ...{ ids, to: RECIPIENT, feeRate: 2.5, label: 'a gift' },
    })
    const { txid } = await confirm(worker, plan)
    expect(await confirm(worker, plan)).toMatchObject({ txid })
    expect(world.chain.broadcasts).toEqual([txid])
    const sent = readBroadcast(world, txid)
    expect(plan.review.fee).toBe(String(Math.ceil(sent.vsize * 2.5)))
    expect(plan.review.outputs.map(({ sats }) => BigInt(sats))).toEqual(
      outputsOf(sent).map(({ sats }) => sats),
    )
    const { activity } = await worker.ui('getOverview', null)
    expect(activity[0]).toMatchObject({
      ...{ txid, kind: 'sent', label: 'a gift', origin: null },
      about: { kind: 'nft', inscription: null },
    })
  })

  it('is noted as that of the one inscription that it moves', async () => {
    const { worker, ids } = await startInscribed([{ sats: 546n, with: [{}] }])
    await transfer(worker, ids)
    const { activity } = await worker.ui('getOverview', null)
    expect(activity[0]?.about).toEqual({ kind: 'nft', inscription: ids[0] })
  })

  it('moves coins with several on each, hundreds in all', async () => {
    const on = [1n, 2n, 3n, 4n].map(offset => ({ offset }))
    const coins = Array.from({ length: 60 }, () => ({ sats: 900n, with: on }))
    const { world, worker, ids } = await startInscribed(coins)
    const { txid, review } = await transfer(
      worker,
      ids.filter((_, at) => at % 4 === 3),
    )
    expect([review.asked, review.assets.length]).toEqual([60, 240])
    expect(idsOn(world, txid).slice(0, 60).flat()).toEqual(ids)
  })

  it('does not count its postage as money, before and after', async () => {
    const { worker, ids } = await startInscribed([{ sats: 546n, with: [{}] }], [30_000n, 20_000n])
    const { review } = await transfer(worker, ids)
    expect(review.balanceAfter).toBe(String(50_000n - BigInt(review.fee)))
  })

  it('is to be worked out again when the inscription is moved meanwhile', async () => {
    const { worker, ids, world } = await startInscribed([{ sats: 546n, with: [{}] }])
    const draft = { ids, to: RECIPIENT, feeRate: 2, label: '' }
    const [one, two] = [
      await worker.ui('planTransfer', draft),
      await worker.ui('planTransfer', draft),
    ]
    await confirm(worker, one)
    await expect(confirm(worker, two)).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    expect(world.chain.broadcasts).toHaveLength(1)
  })
})

describe('a transfer that waits for a block', () => {
  it('keeps its pairs when it is sped up, and clean coins pay', async () => {
    const { world, worker, ids } = await startInscribed(TWO, [900n, 60_000n])
    const old = await transfer(worker, ids)
    const before = readBroadcast(world, old.txid)
    const { txid, review } = await bump(worker, old.txid, 'speed-up')
    const after = readBroadcast(world, txid)
    expect(inputsOf(after).slice(0, 2)).toEqual(inputsOf(before).slice(0, 2))
    expect(outputsOf(after).slice(0, 2)).toEqual(outputsOf(before).slice(0, 2))
    expect(idsOn(world, txid).slice(0, 2)).toEqual([[ids[0]], [ids[1]]])
    expect(review.assets.map(({ to, output }) => [to, output])).toEqual([
      ['foreign', 0],
      ['foreign', 1],
    ])
    expect((await worker.ui('getOverview', null)).activity[0]).toMatchObject({
      ...{ txid, kind: 'speed-up', label: 'a gift' },
      about: { kind: 'nft' },
    })
  })

  it('is taken back in the same pairs, which stay known as inscribed', async () => {
    const { world, worker, account, ids } = await startInscribed(TWO)
    const old = await transfer(worker, ids)
    const { txid, review } = await bump(worker, old.txid, 'cancel')
    const outputs = outputsOf(readBroadcast(world, txid))
    expect(outputs.slice(0, 2).map(({ sats }) => sats)).toEqual([546n, 900n])
    expect(outputs.every(({ address }) => address === account.address)).toBe(true)
    expect(idsOn(world, txid)).toEqual([[ids[0]], [ids[1]], []])
    expect(review.recipients).toEqual([])
    expect(review.assets.map(({ to }) => to)).toEqual(['own', 'own'])
    const coins = await worker.ui('getCoins', null)
    const heldOf = (vout: number) =>
      coins.find(({ outpoint }) => outpoint === `${txid}:${vout}`)?.held
    expect([0, 1, 2].map(heldOf)).toEqual(['inscribed', 'inscribed', null])
  })

  it('keeps every segment of a coin that was cut, sped up and taken back', async () => {
    const { world, worker, account, ids } = await startInscribed([
      { sats: BTC, with: [{ offset: 100n }, { offset: 50_000_000n }, { offset: 70_000_000n }] },
    ])
    const old = await transfer(worker, [ids[1] ?? ''])
    const cut = outputsOf(readBroadcast(world, old.txid))
    const held = idsOn(world, old.txid)
    expect(held.flat().toSorted()).toEqual(ids.toSorted())
    const faster = await bump(worker, old.txid, 'speed-up')
    expect(outputsOf(readBroadcast(world, faster.txid)).slice(0, -1)).toEqual(cut.slice(0, -1))
    expect(idsOn(world, faster.txid)).toEqual(held)
    const back = await bump(worker, faster.txid, 'cancel')
    expect(idsOn(world, back.txid)).toEqual(held)
    expect(
      outputsOf(readBroadcast(world, back.txid)).every(
        ({ address }) => address === account.address,
      ),
    ).toBe(true)
  })

  it('is sped up and taken back while the index does not answer', async () => {
    const { world, worker, ids } = await startInscribed(TWO)
    const old = await transfer(worker, ids)
    world.assets.faults.unreachable = true
    const faster = await bump(worker, old.txid, 'speed-up')
    expect(idsOn(world, faster.txid).slice(0, 2)).toEqual([[ids[0]], [ids[1]]])
    const back = await bump(worker, faster.txid, 'cancel')
    expect(idsOn(world, back.txid).slice(0, 2)).toEqual([[ids[0]], [ids[1]]])
  })

  it('is lifted by a child of its change, never of what carries an inscription', async () => {
    const { world, worker, account, ids } = await startInscribed(TWO)
    const { txid } = await transfer(worker, ids, account.address)
    const child = await bump(worker, txid, 'child')
    expect(inputsOf(readBroadcast(world, child.txid))).not.toContain(`${txid}:0`)
    expect(inputsOf(readBroadcast(world, child.txid))).not.toContain(`${txid}:1`)
    expect(idsOn(world, child.txid).flat()).toEqual([])
  })

  it('without change takes further coins to be lifted, as what it carries comes back whole', async () => {
    const { worker, account, ids } = await startInscribed([{ sats: 546n, with: [{}] }], [500n])
    const dust = (await worker.ui('getCoins', null)).find(({ sats }) => sats === '500')
    if (!dust) throw new Error('No coin')
    const choice = { outpoint: dust.outpoint, choice: 'unlocked', shown: dust } as const
    await worker.ui('setCoinChoice', choice)
    const { txid, review } = await transfer(worker, ids, account.address)
    expect(review.outputs).toHaveLength(1)
    const { child } = await worker.ui('getBumpOptions', { txid })
    expect(child).toEqual({ leastFeeRate: null, why: 'INSUFFICIENT_FUNDS' })
  })
})

describe('a split', () => {
  it('gives each inscription of a large coin its own output, and returns the rest', async () => {
    const { world, worker, account, ids, outpoints } = await startInscribed([
      { sats: BTC, with: [{ offset: 0n }, { offset: 20_000n }, { offset: 99_999_999n }] },
    ])
    const { txid, review } = await split(worker, outpoints[0] ?? '', 1_000)
    const held = idsOn(world, txid)
    expect(held.filter(some => some.length > 0)).toEqual(ids.map(id => [id]))
    for (const [vout, { address, sats }] of outputsOf(readBroadcast(world, txid)).entries()) {
      expect(address).toBe(account.address)
      if (held[vout]?.length) expect(sats).toBe(1_000n)
    }
    expect(review).toMatchObject({ purpose: 'split', asked: 0, recipients: [] })
    expect(review.assets.map(({ to }) => to)).toEqual(['own', 'own', 'own'])
    expect((await worker.ui('getOverview', null)).activity[0]).toMatchObject({ kind: 'moved' })
    // What was freed can be spent at once.
    const { balanceAfter } = review
    const free = (await worker.ui('getCoins', null)).filter(({ held }) => held === null)
    expect(String(free.reduce((sum, { sats }) => sum + BigInt(sats), 0n))).toBe(balanceAfter)
  })

  it('parts two inscriptions of a coin of 546 sats, and runes from both', async () => {
    const { world, worker, ids, outpoints } = await startInscribed([
      { sats: 546n, with: [{ offset: 0n }, { offset: 545n }] },
    ])
    const { name } = world.assets.etch(outpoints[0] ?? '')
    const { txid } = await split(worker, outpoints[0] ?? '')
    expect(idsOn(world, txid).filter(some => some.length > 0)).toEqual([[name], [ids[0]], [ids[1]]])
  })

  it('is refused for a coin that it would not make better, one that is not there, and too little postage', async () => {
    const { worker, outpoints } = await startInscribed([
      { sats: 546n, with: [{}] },
      { sats: 900n, with: [{ offset: 3n }, { offset: 3n }] },
    ])
    const nowhere = `${'ab'.repeat(32)}:0`
    for (const outpoint of [...outpoints, nowhere, 'x'])
      await expect(split(worker, outpoint)).rejects.toMatchObject({ code: -32602 })
    await expect(split(worker, outpoints[0] ?? '', 329)).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining('330') },
    })
  })

  it('is refused while the index does not say where the inscriptions are', async () => {
    const { world, worker, outpoints } = await startInscribed([
      { sats: BTC, with: [{ offset: 9n }] },
    ])
    await worker.ui('getCoins', null)
    world.assets.faults.unreachable = true
    await expect(split(worker, outpoints[0] ?? '')).rejects.toMatchObject({ code: -32000 })
    expect(world.chain.broadcasts).toEqual([])
  })
})
