import { describe, expect, it } from 'vitest'
import { inputsOf, outputsOf, readBroadcast } from '../testing/funded-wallet.ts'
import { type InscribedCoin, startInscribed } from '../testing/inscribed-wallet.ts'
import { startWorker } from '../testing/test-wallet.ts'

async function start(...coins: InscribedCoin[]) {
  const started = await startInscribed(coins.length > 0 ? coins : [{ sats: 10_000n, with: [{}] }])
  const { worker, ids, outpoints } = started
  const [id = ''] = ids
  const [outpoint = ''] = outpoints
  const plan = (feeRate = 5) => worker.ui('planBurn', { id, feeRate })
  return { ...started, id, outpoint, plan }
}

describe('burning an inscription', () => {
  it('shows what is destroyed, sends exactly that, and is told in the activity', async () => {
    const { world, worker, id, outpoint, plan, account } = await start()
    const { planId, digest, review } = await plan()
    expect(review).toMatchObject({
      ...{ purpose: 'burn', recipients: [], memo: null, asked: 1 },
      assets: [{ asset: { kind: 'inscription', id }, to: 'burned', certainty: 'certain' }],
    })
    const { txid } = await worker.ui('confirmPayment', { planId, digest })
    const sent = readBroadcast(world, txid)
    expect(inputsOf(sent)).toEqual([outpoint])
    expect(outputsOf(sent)).toEqual([
      { address: null, sats: 1n },
      { address: account.address, sats: 9_999n - BigInt(review.fee) },
    ])
    world.chain.mine()
    const page = await worker.ui('getInscriptions', { offset: 0, limit: 60 })
    expect(page.total).toBe(0)
    await expect(worker.ui('getInscription', { id })).rejects.toMatchObject({ code: -32602 })
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 20 })
    expect(entries.find(entry => entry.txid === txid)).toMatchObject({
      ...{ kind: 'burn', status: 'confirmed' },
    })
    expect(await worker.ui('getCoins', null)).toContainEqual(
      expect.objectContaining({ outpoint: `${txid}:1`, held: null, assets: [] }),
    )
  })

  it.each([
    ['another inscription', [{ sats: 10_000n, with: [{ offset: 0n }, { offset: 5_000n }] }]],
    ['another one on the same sat', [{ sats: 600n, with: [{ offset: 0n }, { offset: 0n }] }]],
  ] as [string, InscribedCoin[]][])('is refused while its coin holds %s', async (_, coins) => {
    const { world, plan } = await start(...coins)
    await expect(plan()).rejects.toMatchObject({ data: { reason: 'PROTECTED_ASSET' } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('is refused while its coin holds runes', async () => {
    const { world, outpoint, plan } = await start()
    world.assets.etch(outpoint, {})
    await expect(plan()).rejects.toMatchObject({ data: { reason: 'PROTECTED_ASSET' } })
  })

  it.each([
    ['from the start', false],
    ['only now', true],
  ])('is refused while its coin holds a rare sat, which the index tells %s', async (_, isLate) => {
    const { world, worker, id, outpoint, plan } = await start()
    for (let block = 0; block < 10; block++) world.chain.mine()
    if (isLate) await worker.ui('getCoins', null)
    world.assets.lie(outpoint, {
      known: true,
      assets: [{ kind: 'inscription', id, offset: 0n }],
      rareSats: [{ sat: 5_000_000_000n, offset: 7n }],
    })
    await expect(plan()).rejects.toMatchObject({ data: { reason: 'PROTECTED_ASSET' } })
  })

  it('is refused for a coin that the person locked, and for what is not there', async () => {
    const { worker, outpoint, plan } = await start()
    await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
    await expect(plan()).rejects.toMatchObject({ data: { reason: 'COINS_HELD' } })
    const id = `${'ab'.repeat(32)}i0`
    await expect(worker.ui('planBurn', { id, feeRate: 5 })).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining('id') },
    })
    await expect(worker.ui('planBurn', { id: 'all', feeRate: 5 })).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining('id') },
    })
  })

  it('signs nothing where something else turns up on the coin between the review and the word', async () => {
    const { world, worker, outpoint, plan } = await start()
    const { planId, digest } = await plan()
    world.assets.inscribe(outpoint, { offset: 100n })
    world.clock.now += 120_000
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('with a sat further in gives back what is before and behind it', async () => {
    const { account, plan } = await start({ sats: 50_000n, with: [{ offset: 20_000n }] })
    const { review } = await plan()
    expect(review.outputs.map(({ address, sats, own }) => [address, sats, own])).toEqual([
      [account.address, '20000', true],
      [null, '1', false],
      [account.address, String(29_999 - Number(review.fee)), true],
    ])
  })

  it('can be made faster, which burns the same, or taken back, which brings the inscription home', async () => {
    const { world, worker, id, plan } = await start()
    const { txid } = await worker.ui('confirmPayment', await plan())
    const faster = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 20 })
    expect(faster.review.outputs[0]).toMatchObject({ address: null, sats: '1', own: false })
    expect(faster.review.assets).toMatchObject([{ asset: { id }, to: 'burned' }])
    expect(faster.review.memo).toBeNull()
    const { txid: second } = await worker.ui('confirmPayment', faster)
    const back = await worker.ui('planBump', { txid: second, kind: 'cancel', feeRate: 60 })
    expect(back.review.assets).toMatchObject([{ asset: { id }, to: 'own', certainty: 'certain' }])
    expect(back.review.outputs.every(({ own }) => own)).toBe(true)
    await worker.ui('confirmPayment', back)
    world.chain.mine()
    expect((await worker.ui('getInscription', { id })).id).toBe(id)
  })

  it.each([
    [1_200n, 600n],
    [1_200n, 300n],
    [900n, 331n],
    [546n, 0n],
    [2_000n, 1_500n],
    [50_000n, 20_000n],
  ])(
    'of a coin of %d sats, with the sat at %d, can be taken back at any rate',
    async (sats, offset) => {
      for (const feeRate of [3, 4, 5, 7, 12, 30]) {
        const { worker, id, account, plan } = await start({ sats, with: [{ offset }] })
        const { txid } = await worker.ui('confirmPayment', await plan(1))
        const { review } = await worker.ui('planBump', { txid, kind: 'cancel', feeRate })
        expect(review.assets).toMatchObject([{ asset: { id }, to: 'own', certainty: 'certain' }])
        const [first] = review.outputs
        expect(first?.address).toBe(account.address)
        expect(BigInt(first?.sats ?? 0)).toBeGreaterThan(offset)
        expect(review.memo).toBeNull()
      }
    },
  )

  it('is sent once by a worker that is started again with the same word', async () => {
    const { world, worker, plan } = await start()
    const { planId, digest } = await plan()
    const { txid } = await worker.ui('confirmPayment', { planId, digest })
    const again = await startWorker(world).ui('confirmPayment', { planId, digest })
    expect(again.txid).toBe(txid)
    expect(new Set(world.chain.broadcasts)).toEqual(new Set([txid]))
  })
})
