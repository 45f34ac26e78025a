import { describe, expect, it } from 'vitest'
import { inputsOf, outputsOf, RECIPIENT, readBroadcast, SITE } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { connectPage, decideNext, fund, nextApproval, openPage } from '../testing/test-wallet.ts'
import type { PaymentReview } from '../views/payment-views.ts'

const BTC = 100_000_000n

type Started = Awaited<ReturnType<typeof startInscribed>>

/** Sends with the person's approval; what was shown, and the transaction as the independent implementation reads it. */
async function sendOne({ world, worker, page }: Started, ...params: unknown[]) {
  const answer = page.call('sendInscription', ...params)
  const { review } = await decideNext(worker, 'approve', 'payment')
  const response = await answer
  if (!('result' in response)) throw new Error(response.error.message)
  const txid = String(response.result)
  return { txid, review: review as PaymentReview, sent: readBroadcast(world, txid) }
}

/** Ids that the receiver's outputs and own ones hold in truth, and how many went to the miner. */
function deliveries({ world, account }: Started, txid: string) {
  const held = outputsOf(readBroadcast(world, txid)).map(({ address }, vout) => ({
    address,
    keys: world.assets
      .truth(`${txid}:${vout}`)
      .map(asset => (asset.kind === 'rune' ? asset.name : asset.id)),
  }))
  const at = (address: string) => held.flatMap(one => (one.address === address ? one.keys : []))
  return { gone: at(RECIPIENT).toSorted(), kept: at(account.address).toSorted() }
}

describe('sendInscription', () => {
  it('moves the inscription with its sats to the receiver, and takes the fee from a clean coin', async () => {
    const started = await startInscribed([{ sats: 600n, with: [{ offset: 333n }] }])
    const { world, worker, account, ids, outpoints } = started
    const to = `${ids[0]}-Ordinals`
    const { txid, review, sent } = await sendOne(started, RECIPIENT, to, { feeRate: 3 })
    expect(world.chain.broadcasts).toEqual([txid])
    expect(inputsOf(sent)[0]).toBe(outpoints[0])
    expect(outputsOf(sent)[0]).toEqual({ address: RECIPIENT, sats: 600n })
    expect(outputsOf(sent)[1]?.address).toBe(account.address)
    expect(world.assets.truth(`${txid}:0`)).toEqual([
      { kind: 'inscription', id: ids[0], offset: 333n },
    ])
    expect(review).toMatchObject({
      purpose: 'transfer',
      recipients: [{ address: RECIPIENT, sats: '600' }],
      asked: 1,
      assets: [
        {
          asset: { kind: 'inscription', id: ids[0] },
          ...{ input: 0, own: true, to: 'foreign', output: 0, offset: '333', address: RECIPIENT },
        },
      ],
      fee: String(Math.ceil(sent.vsize * 3)),
      warnings: [],
    })
    const { activity } = await worker.ui('getOverview', null)
    expect(activity[0]).toMatchObject({
      ...{ txid, kind: 'sent', origin: SITE, counterparty: RECIPIENT },
      about: { kind: 'nft', inscription: ids[0] },
    })
  })

  it('shows what shares the coin and goes along: inscriptions on it, and runes', async () => {
    const started = await startInscribed([{ sats: 900n, with: [{ offset: 0n }, { offset: 500n }] }])
    const { world, ids, outpoints } = started
    const { name } = world.assets.etch(outpoints[0] ?? '')
    const { txid, review } = await sendOne(started, RECIPIENT, ids[1])
    expect(review.asked).toBe(1)
    expect(
      review.assets.map(({ asset, to }) => [to, 'id' in asset ? asset.id : asset.name]),
    ).toEqual([
      ['foreign', ids[1]],
      ['foreign', ids[0]],
      ['foreign', name],
    ])
    expect(deliveries(started, txid).gone).toEqual([...ids, name].toSorted())
  })

  it('cuts it out of a coin of 1 BTC, and keeps the rest and what else sits there', async () => {
    const started = await startInscribed([
      { sats: BTC, with: [{ offset: 7n }, { offset: 60_000_000n }, { offset: 60_000_900n }] },
    ])
    const { ids, outpoints, world } = started
    const { name } = world.assets.etch(outpoints[0] ?? '')
    const { txid, review, sent } = await sendOne(started, RECIPIENT, ids[1])
    expect(deliveries(started, txid)).toEqual({
      gone: [ids[1]],
      kept: [name, ids[0], ids[2]].toSorted(),
    })
    const recipient = { address: RECIPIENT, sats: '546', name: null, paidBefore: 'never' }
    expect(review.recipients).toEqual([recipient])
    expect(review.assets.map(({ to }) => to)).toEqual(['foreign', 'own', 'own', 'own'])
    expect(sent.inputsLength).toBe(1)
    expect(BigInt(review.fee)).toBe(BigInt(Math.ceil(sent.vsize * 5)))
  })

  it('moves the whole coin where two inscriptions share the sat', async () => {
    const started = await startInscribed([{ sats: 546n, with: [{ offset: 1n }, { offset: 1n }] }])
    const { txid } = await sendOne(started, RECIPIENT, started.ids[0])
    expect(deliveries(started, txid)).toEqual({ gone: started.ids.toSorted(), kept: [] })
  })

  it('moves one back to the account itself, and knows it there before a block has it', async () => {
    const started = await startInscribed([{ sats: 546n, with: [{}] }])
    const { worker, account, ids } = started
    const { txid, review } = await sendOne(started, account.address, ids[0])
    expect(review).toMatchObject({ asked: 1, assets: [{ to: 'own' }] })
    expect(review.warnings).toContainEqual({ kind: 'own-address' })
    const coins = await worker.ui('getCoins', null)
    expect(coins.find(({ outpoint }) => outpoint === `${txid}:0`)).toMatchObject({
      held: 'inscribed',
      assets: [{ id: ids[0] }],
    })
    const change = coins.find(({ outpoint }) => outpoint === `${txid}:1`)
    expect(change).toMatchObject({ held: null, assets: [], unchecked: null })
    // From there it goes on.
    const next = await sendOne(started, RECIPIENT, ids[0])
    expect(deliveries(started, next.txid).gone).toEqual(ids)
  })

  it('spends no other inscription for the fee, and says what is held instead', async () => {
    const coins = [
      { sats: 546n, with: [{}] },
      { sats: 90_000n, with: [{ offset: 50_000n }] },
    ]
    const { page, ids, world } = await startInscribed(coins, [])
    expect(await page.call('sendInscription', RECIPIENT, ids[0], { feeRate: 1 })).toMatchObject({
      error: { code: -32000, data: { reason: 'COINS_HELD', heldInscribed: '90000' } },
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('leaves everything as it was when the person says no', async () => {
    const { worker, page, account, ids, world } = await startInscribed([{ sats: 546n, with: [{}] }])
    const answer = page.call('sendInscription', RECIPIENT, ids[0])
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
    expect(await worker.wallet.activity.listSent('regtest', account.id)).toEqual([])
    expect((await worker.ui('getCoins', null)).map(({ held }) => held)).not.toContain('reserved')
  })

  it('signs nothing when the index finds more on a coin than was shown', async () => {
    const started = await startInscribed([{ sats: 546n, with: [{}] }], [50_000n])
    const { worker, page, world, ids, outpoints, txids } = started
    for (const outpoint of [outpoints[0] ?? '', `${txids[0]}:0`]) {
      const answer = page.call('sendInscription', RECIPIENT, ids[0])
      const { key, digest } = await nextApproval(worker, 'payment')
      world.assets.inscribe(outpoint, { offset: 20n })
      await worker.ui('decide', { key, digest, decision: 'approve' })
      expect(await answer).toMatchObject({ error: { data: { reason: 'PLAN_OUTDATED' } } })
    }
    expect(world.chain.broadcasts).toEqual([])
  })

  it('is for connected pages', async () => {
    const { worker, ids } = await startInscribed([{ sats: 546n, with: [{}] }])
    const stranger = openPage(worker, 'https://stranger.example')
    expect(await stranger.call('sendInscription', RECIPIENT, ids[0])).toMatchObject({
      error: { code: 4100 },
    })
  })
})

describe('sendInscription refuses', () => {
  it('ids that are none, other protocols, and inscriptions of others, naming the field', async () => {
    const { page, ids } = await startInscribed([{ sats: 546n, with: [{}] }])
    const elsewhere = `${'ab'.repeat(32)}i0`
    const wrong = [
      '',
      'x',
      `${ids[0]}-`,
      `${ids[0]}-ordinals`,
      `${ids[0]}-Runes`,
      7,
      null,
      elsewhere,
    ]
    const malformed = [`${ids[0]}0i1`, `${'AB'.repeat(32)}i0`, `${'ab'.repeat(32)}i01`]
    for (const id of [...wrong, ...malformed]) {
      expect(await page.call('sendInscription', RECIPIENT, id)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('inscriptionId') },
      })
    }
    expect(await page.call('sendInscription', 'bc1qnobody', ids[0])).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('address') },
    })
    for (const options of [7, { feeRate: -1 }])
      expect(await page.call('sendInscription', RECIPIENT, ids[0], options)).toHaveProperty(
        'error.code',
        -32602,
      )
  })

  it('Atomicals while no server that tells of them is set, in clear words', async () => {
    const { page, ids } = await startInscribed([{ sats: 546n, with: [{}] }])
    expect(await page.call('sendInscription', RECIPIENT, `${ids[0]}-Atomicals`)).toMatchObject({
      error: { code: 4200, message: expect.stringContaining('Atomicals') },
    })
  })

  it('what sits on a coin of unknown content', async () => {
    const { page, world, ids, outpoints } = await startInscribed([{ sats: 546n, with: [{}] }])
    world.assets.lie(outpoints[0] ?? '', { known: false, why: 'behind' })
    expect(await page.call('sendInscription', RECIPIENT, ids[0])).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET', outpoint: outpoints[0], why: 'behind' } },
    })
  })

  it('what the index has on another coin by now', async () => {
    const { page, world, ids } = await startInscribed([{ sats: 546n, with: [{}] }])
    const satpoint = { outpoint: `${'cd'.repeat(32)}:0`, offset: 0n }
    world.assets.misreport(ids[0] ?? '', { satpoint })
    expect(await page.call('sendInscription', RECIPIENT, ids[0])).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET' } },
    })
  })

  it('what the chain contradicts', async () => {
    const { page, world, ids } = await startInscribed([{ sats: 546n, with: [{ body: 'true' }] }])
    world.assets.misreport(ids[0] ?? '', { contentType: 'image/png', contentLength: 9 })
    expect(await page.call('sendInscription', RECIPIENT, ids[0])).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET', inscription: ids[0] } },
    })
  })

  it('everything while the index does not answer', async () => {
    const { page, world, worker, ids } = await startInscribed([{ sats: 546n, with: [{}] }])
    await worker.ui('getCoins', null)
    world.assets.faults.unreachable = true
    expect(await page.call('sendInscription', RECIPIENT, ids[0])).toMatchObject({
      error: { data: { reason: 'BACKEND_UNAVAILABLE' } },
    })
  })

  it('a coin that the person locked, or that another request has', async () => {
    const started = await startInscribed([{ sats: 546n, with: [{}] }])
    const { page, worker, ids, outpoints } = started
    const held = { error: { data: { reason: 'COINS_HELD' } } }
    await worker.ui('setCoinChoice', { outpoint: outpoints[0] ?? '', choice: 'locked' })
    expect(await page.call('sendInscription', RECIPIENT, ids[0])).toMatchObject(held)
    await worker.ui('setCoinChoice', { outpoint: outpoints[0] ?? '', choice: null })

    const other = await connectPage(worker, 'https://other.example', 2)
    const answers = [page, other].map(one => one.call('sendInscription', RECIPIENT, ids[0]))
    expect(await Promise.race(answers)).toMatchObject(held)
    await decideNext(worker, 'approve', 'payment')
    const both = await Promise.all(answers)
    expect(both.filter(answer => 'result' in answer)).toHaveLength(1)
    expect(started.world.chain.broadcasts).toHaveLength(1)
  })

  it('of what is on no coin of the account is refused while the chain is still looked at', async () => {
    const { world, page } = await startInscribed([{ sats: 600n, with: [{ offset: 333n }] }])
    const theirs = fund(world, RECIPIENT, 600n)
    const elsewhere = world.assets.inscribe(`${theirs}:0`, { body: 'not here' })
    world.chain.chain.fetchTransaction = () => new Promise<never>(() => {})
    expect(await page.call('sendInscription', RECIPIENT, elsewhere)).toMatchObject({
      error: { code: -32602 },
    })
  })
})
