import { describe, expect, it } from 'vitest'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import type { Brc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import { parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { validateItems } from '../brc20/inscribe-validation.ts'
import { payFromPopup, startFunded } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { fund, type Worker } from '../testing/test-wallet.ts'
import { encodeOperation, type InscribeContent, parseMintItems } from './inscribe-items.ts'
import { type InscribeOrder, planInscribing } from './inscribe-plan.ts'

function texts(...bodies: string[]): InscribeContent[] {
  return parseMintItems(
    61,
    bodies.map(body => ({ contentType: null, body })),
  )
}

function readLeaf(leaf = '') {
  const [envelope, ...others] = parseEnvelopes([[fromHex(leaf), new Uint8Array()]])
  if (!envelope || others.length > 0) throw new Error('Not one envelope')
  return envelope.fields
}

/** Plans as both ways to it do. */
async function plan(
  worker: Worker,
  items: InscribeContent[],
  { parent = null, ...changes }: Partial<InscribeOrder> & { parent?: string | null } = {},
) {
  const context = await payFromSelected(worker.wallet)
  const judged = await validateItems(context, items, parent)
  return planInscribing(
    context,
    { items, postage: 546n, feeRate: 7, seed: 'x', delivery: null, ...changes },
    judged,
  )
}

describe('a plan to inscribe', () => {
  it('shows every fee, what it costs and what stays: the figures of two short texts at 7 sat/vB', async () => {
    const { worker, account, txids } = await startFunded(100_000n)
    const { review, spends, at } = await plan(worker, texts('hello', 'world'))
    expect(spends).toEqual([`${txids[0]}:0`])
    expect(at).toBe(worker.wallet.now())
    const { items, commit, ...rest } = review
    expect(rest).toEqual({
      kind: 'inscribe',
      purpose: 'inscribe',
      etching: null,
      delivery: null,
      jobId: null,
      parent: null,
      receiver: account.address,
      postage: '546',
      recentFeeRate: null,
      feeRate: 7,
      totalFee: String(973 + 973 + 1379),
      previousFee: null,
      cost: String(973 + 973 + 1379 + 2 * 546),
      balanceAfter: String(100_000 - (973 + 973 + 1379 + 2 * 546)),
      warnings: [],
    })
    expect(items).toEqual(
      ['hello', 'world'].map(text => ({
        kind: 'text',
        contentType: 'text/plain;charset=utf-8',
        contentLength: 5,
        preview: { kind: 'text', text, cut: false },
        delegate: null,
        encoding: null,
        metadata: null,
        brc20: null,
        fee: '973',
        vsize: 139,
      })),
    )
    expect(commit).toMatchObject({
      fee: '1379',
      vsize: 197,
      inputs: [{ outpoint: spends[0], address: account.address, sats: '100000', own: true }],
      outputs: [
        { sats: '1519', own: false },
        { sats: '1519', own: false },
        { address: account.address, sats: '95583', own: true },
      ],
    })
  })

  it('has leaves with what is inscribed, and the key of the first coin that it spends', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const plans = [await plan(worker, texts('hello')), await plan(worker, texts('hello'))]
    fund(world, account.address, 2_000_000n)
    plans.push(await plan(worker, texts('hello'), { feeRate: 900 }))
    const leaves = plans.map(({ inscribing }) => inscribing.reveals[0]?.leaf)
    for (const leaf of leaves) expect(readLeaf(leaf).body).toEqual(toUtf8('hello'))
    expect(leaves[1]).toBe(leaves[0])
    expect(leaves[2]).not.toBe(leaves[0])
  })

  it('never pays with a coin on which something sits, whatever the person unlocked', async () => {
    const coins = [{ sats: 50_000n, with: [{}] }]
    const { worker, outpoints } = await startInscribed(coins, [3_000n])
    await worker.ui('setCoinChoice', { outpoint: outpoints[0] ?? '', choice: 'unlocked' })
    await expect(plan(worker, texts('hello', 'world'))).rejects.toMatchObject({
      code: -32000,
      data: { reason: 'COINS_HELD', available: '3000' },
    })
    const { spends } = await plan(worker, texts('hello'), { feeRate: 2 })
    expect(spends).not.toContain(outpoints[0])
  })

  it('never pays with a coin of which nobody says that it is clean, whatever the person unlocked', async () => {
    const { world, worker, txids } = await startFunded(100_000n)
    world.assets.faults.unreachable = true
    await worker.ui('setCoinChoice', { outpoint: `${txids[0]}:0`, choice: 'unlocked' })
    await expect(plan(worker, texts('hello'))).rejects.toMatchObject({
      code: -32000,
      data: { reason: 'COINS_HELD', available: '0' },
    })
  })

  it('never pays with a coin onto which its own transaction reveals something, whatever the index says', async () => {
    const coins = [{ sats: 90_000n, with: [{ body: 'hidden' }] }]
    const { world, worker, outpoints } = await startInscribed(coins, [20_000n])
    world.assets.lie(outpoints[0] ?? '', { known: true, assets: [] })
    await expect(plan(worker, texts('hello'), { feeRate: 100 })).rejects.toMatchObject({
      code: -32000,
      data: { reason: 'COINS_HELD', available: '20000' },
    })
    const { spends } = await plan(worker, texts('hello'))
    expect(spends).not.toContain(outpoints[0])
  })

  it('spends change that no block has only where the rest does not suffice', async () => {
    const { worker, txids } = await startFunded(100_000n, 30_000n)
    const { txid } = await payFromPopup(worker, { coins: [`${txids[0]}:0`] })
    const { spends } = await plan(worker, texts('hello'))
    expect(spends).toEqual([`${txids[1]}:0`])
    const dear = await plan(worker, texts('hello'), { feeRate: 150 })
    expect(dear.spends).toContain(`${txid}:1`)
    const inputs = [dear.spends.indexOf(`${txid}:1`)]
    expect(dear.review.warnings).toContainEqual({ kind: 'spends-unconfirmed', inputs })
  })

  it('names the limit that does not fit, and what was got', async () => {
    const { worker } = await startFunded(10_000_000n)
    await expect(plan(worker, texts('x'.repeat(400_000)))).rejects.toMatchObject({
      data: { reason: 'TOO_LARGE', limit: 'weight', allowed: 400_000 },
    })
    await expect(plan(worker, texts(...Array(3).fill('x'.repeat(200_000))))).rejects.toMatchObject({
      data: { reason: 'TOO_LARGE', limit: 'size', allowed: 101_000 },
    })
    await expect(plan(worker, texts('x'), { postage: 329n })).rejects.toMatchObject({
      code: -32602,
      message: 'postage: expected at least 330 sats to this kind of address, got the number 329',
    })
    await expect(plan(worker, texts('x'), { feeRate: 20_000 })).rejects.toMatchObject({
      data: { reason: 'ABSURD_FEE' },
    })
  })

  it('warns of a fee that is high for the network', async () => {
    const { worker } = await startFunded(1_000_000n)
    const { review } = await plan(worker, texts('hello'), { feeRate: 600 })
    expect(review.warnings).toEqual([
      { kind: 'high-fee', percent: null, fastest: 10, recent: null },
    ])
  })
})

describe('a parent', () => {
  it('stays out of the commit, is reserved with it, and is named in every leaf', async () => {
    const coins = [{ sats: 600n, with: [{ offset: 5n }, {}] }]
    const { worker, outpoints, ids } = await startInscribed(coins)
    const [parent = ''] = ids
    const { review, spends, inscribing } = await plan(worker, texts('a', 'b'), { parent })
    expect(review.parent).toBe(parent)
    expect(spends.at(-1)).toBe(outpoints[0])
    expect(review.commit?.inputs.map(({ outpoint }) => outpoint)).not.toContain(outpoints[0])
    for (const { leaf } of inscribing.reveals)
      expect(parseInscription(readLeaf(leaf)).parents).toEqual([parent])
    const { cost, totalFee, balanceAfter } = review
    expect(BigInt(cost) - BigInt(totalFee)).toBe(2n * 546n)
    expect(BigInt(balanceAfter)).toBe(150_000n - BigInt(cost))
  })

  it('is on a coin of the account, and in nobody else’s request', async () => {
    const coins = [{ sats: 600n, with: [{}] }]
    const { worker, outpoints, ids } = await startInscribed(coins)
    const stranger = `${'ab'.repeat(32)}i0`
    await expect(plan(worker, texts('a'), { parent: stranger })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^parent: /),
    })
    await worker.ui('setCoinChoice', { outpoint: outpoints[0] ?? '', choice: 'locked' })
    await expect(plan(worker, texts('a'), { parent: ids[0] ?? '' })).rejects.toMatchObject({
      data: { reason: 'COINS_HELD' },
    })
  })
})

describe('a parent that no block has', () => {
  it('has no children yet: what it comes from would count with them', async () => {
    const { worker } = await startFunded(100_000n, 100_000n)
    const draft = {
      items: [{ kind: 'text' as const, text: 'parent' }],
      ...{ postage: 546, feeRate: 2, parent: null, metadata: null, label: '' },
    }
    const { planId, digest } = await worker.ui('planInscribe', draft)
    const { jobId } = await worker.ui('confirmInscribe', { planId, digest })
    const [item] = (await worker.ui('getJob', { jobId })).items
    const parent = item?.inscriptionId ?? ''
    await expect(plan(worker, texts('child'), { parent })).rejects.toMatchObject({
      data: { reason: 'COINS_HELD', heldUnconfirmed: '546', heldInscribed: '0' },
    })
  })
})

describe('a plan to inscribe BRC-20', () => {
  const operation = (operation: Brc20Operation) => encodeOperation('x', operation)
  const mintOf = (tick: string) => operation({ op: 'mint', tick, amt: '100' })

  it('says what each does by the word of the server, whichever a block takes first', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    world.brc20.deploy('ordi', { lim: '1000', minted: '0' })
    world.brc20.credit(account.address, 'ordi', '100')
    const transferOf = (amt: string) => operation({ op: 'transfer', tick: 'ordi', amt })
    const obstaclesOf = async (...items: InscribeContent[]) =>
      (await plan(worker, items)).review.items.map(({ brc20 }) => brc20?.obstacles ?? null)
    const items = [transferOf('50'), mintOf('ordi'), transferOf('50'), ...texts('hi')]
    expect(await obstaclesOf(...items)).toEqual([[], [], [], null])
    expect(await obstaclesOf(mintOf('ordi'), transferOf('150'))).toEqual([[], ['order']])
    const { review } = await plan(worker, items)
    expect(review.items.map(({ kind }) => kind)).toEqual(['brc-20', 'brc-20', 'brc-20', 'text'])
    expect(review.items[2]?.brc20).toMatchObject({
      checked: true,
      before: { available: '150', transferable: '50' },
      after: { available: '100', transferable: '100' },
    })
  })

  it('does not wait for a server that fails, and says that nobody checked', async () => {
    const { world, worker } = await startFunded(100_000n)
    world.brc20.faults.unreachable = true
    const { review } = await plan(worker, [mintOf('ordi')])
    expect(review.items[0]?.brc20).toMatchObject({ checked: false, obstacles: [] })
  })

  it('takes the deploy inscription of a self-mint token as the parent by itself', async () => {
    const coins = [
      { sats: 546n, with: [{}] },
      { sats: 546n, with: [{}] },
    ]
    const { world, worker, ids, outpoints } = await startInscribed(coins)
    const [deploy = '', other = ''] = ids
    world.brc20.deploy('selfy', { selfMint: true, deploy })
    world.brc20.deploy('selfz', { selfMint: true, deploy: other })
    const { review, spends } = await plan(worker, [mintOf('Selfy'), mintOf('selfy')])
    expect(review.parent).toBe(deploy)
    expect(review.items[0]?.brc20?.obstacles).toEqual([])
    expect(spends).toContain(outpoints[0])
    await expect(plan(worker, [mintOf('selfy'), mintOf('selfz')])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^tick: expected "selfy" alone/),
    })
    await expect(plan(worker, [mintOf('selfy')], { parent: other })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`^parent: expected ${deploy}`)),
    })
  })

  it('shows as an obstacle that somebody else deployed a self-mint token', async () => {
    const { world, worker } = await startFunded(100_000n)
    world.brc20.deploy('selfy', { selfMint: true, deploy: `${'ab'.repeat(32)}i0` })
    const { review } = await plan(worker, [mintOf('selfy')])
    expect(review.parent).toBeNull()
    expect(review.items[0]?.brc20?.obstacles).toEqual(['not-deployer'])
  })
})
