import { describe, expect, it } from 'vitest'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { type AssetSite, firstOutputOf, startAssetSite, toThem } from '../testing/asset-site.ts'
import { approveSigning, hexOf, resultOf } from '../testing/psbt-site.ts'
import { signElsewhere } from '../testing/signed-transactions.ts'
import { decideNext, nextApproval } from '../testing/test-wallet.ts'

const CLEAN = { known: true, assets: [] } as const
const PROTECTED = { code: -32000, data: { reason: 'PROTECTED_ASSET', input: 0 } }

/** An inscribed coin of 10,000 sats, and transactions that spend it and that another program has signed. */
async function startInscribed(offset = 0n) {
  const site = await startAssetSite('p2wpkh')
  const coin = site.mine(10_000n)
  const id = site.world.assets.inscribe(coin.at, { offset, number: 5 })
  const outputs = [toThem(9_000n)]
  const psbt = hexOf({ inputs: [coin], outputs })
  return { ...site, coin, id, psbt, signed: sign(site, { inputs: [coin], outputs }) }
}

function sign({ key }: Pick<AssetSite, 'key'>, params: Parameters<typeof buildPsbt>[0]) {
  return signElsewhere(buildPsbt(params), key)
}

const item = (itemId: string, signedTx: string) => ({ itemId, signedTx, type: 20 })

describe('a transaction with an inscription of ours that a site pushes', () => {
  it('is asked about, and the person sees where it goes', async () => {
    const { page, worker, id, signed } = await startInscribed(17n)
    const answer = page.call('pushTx', signed.raw)
    const { review } = await decideNext(worker, 'approve', 'push-tx')
    expect(review).toMatchObject({
      assets: [
        {
          asset: { kind: 'inscription', id, number: 5 },
          ...{ input: 0, own: true, to: 'foreign', output: 0, offset: '17' },
        },
      ],
      warnings: [],
    })
    expect(await answer).toMatchObject({ result: signed.txid })
  })

  it('is refused where it loses it, and nothing is sent', async () => {
    const { page, world, signed } = await startInscribed(9_500n)
    const before = world.window.shown
    for (const [method, param] of [
      ['pushTx', signed.raw],
      ['pushPsbt', signed.psbt],
    ] as const)
      expect(await page.call(method, param)).toMatchObject({ error: PROTECTED })
    expect(world.window.shown).toBe(before)
    expect(world.chain.broadcasts).toEqual([])
  })

  it('needs no second question when it was shown with it', async () => {
    const site = await startInscribed()
    const { response } = await approveSigning(site, 'signPsbt', site.psbt)
    const before = site.world.window.shown
    expect(await site.page.call('pushPsbt', resultOf(response))).toHaveProperty('result')
    expect(site.world.window.shown).toBe(before)
  })

  it('needs one when the index had denied it then', async () => {
    const site = await startInscribed()
    const { world, worker, page, coin, id } = site
    world.assets.lie(coin.at, CLEAN)
    const { response } = await approveSigning(site, 'signPsbt', site.psbt)
    world.assets.lie(coin.at, 'forget')
    const answer = page.call('pushPsbt', resultOf(response))
    const { review } = await decideNext(worker, 'reject', 'push-tx')
    expect(review).toMatchObject({ assets: [{ asset: { id }, to: 'foreign' }] })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('needs none when the index has gone since', async () => {
    const site = await startInscribed()
    const { response } = await approveSigning(site, 'signPsbt', site.psbt)
    site.world.assets.faults.unreachable = true
    expect(await site.page.call('pushPsbt', resultOf(response))).toHaveProperty('result')
  })

  it('is not sent when it turns up between question and approval', async () => {
    const { page, worker, world, coin, signed } = await startInscribed()
    world.assets.lie(coin.at, CLEAN)
    const answer = page.call('pushTx', signed.raw)
    await nextApproval(worker, 'push-tx')
    world.assets.lie(coin.at, 'forget')
    await decideNext(worker, 'approve', 'push-tx')
    expect(await answer).toMatchObject({ error: { data: { reason: 'PLAN_OUTDATED' } } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('says of coins that nobody has looked at which and why', async () => {
    const { page, worker, world, signed } = await startInscribed()
    world.assets.faults.lagBlocks = 1
    const answer = page.call('pushTx', signed.raw)
    const { review } = await decideNext(worker, 'approve', 'push-tx')
    expect(review).toMatchObject({
      assets: [],
      warnings: [{ kind: 'unchecked-coins', inputs: [0], why: 'behind' }],
    })
    expect(await answer).toMatchObject({ result: signed.txid })
  })
})

describe('a transaction of others', () => {
  it('is pushed without the index being asked', async () => {
    const site = await startAssetSite()
    const coin = site.theirs(10_000n)
    site.world.assets.inscribe(coin.at)
    const { raw, txid } = signElsewhere(buildPsbt({ inputs: [coin], outputs: [toThem(9_000n)] }))
    expect(await site.page.call('pushTx', raw)).toMatchObject({ result: txid })
    expect(site.world.assets.asked).toEqual([])
  })
})

describe('a batch that moves an inscription to us and then on', () => {
  const chain = async (sats: bigint) => {
    const site = await startInscribed(8_000n)
    const inputs = [site.coin, site.mine(3_000n)]
    const first = buildPsbt({ inputs, outputs: [site.toMe(10_000n), site.toMe(2_000n)] })
    const moved = { ...site.toMe(10_000n), outpoint: firstOutputOf(first) }
    const last = sign(site, { inputs: [moved], outputs: [toThem(sats)] })
    return {
      ...site,
      txs: [item('on', last.raw), item('home', signElsewhere(first, site.key).raw)],
    }
  }

  it('is shown so, in the order in which it is sent', async () => {
    const { page, worker, account, id, txs } = await chain(9_000n)
    const answer = page.call('sendPsbt', txs, account.address)
    const { review } = await decideNext(worker, 'approve', 'send-batch')
    const asset = { kind: 'inscription', id, number: 5 }
    expect(review).toMatchObject({
      items: [
        { itemId: 'home', clean: false, assets: [{ asset, to: 'own', output: 0, offset: '8000' }] },
        { itemId: 'on', clean: false, assets: [{ asset, to: 'foreign', offset: '8000' }] },
      ],
    })
    expect(await answer).toHaveProperty('result')
  })

  it('is refused where that loses it', async () => {
    const { page, account, world, txs } = await chain(7_900n)
    expect(await page.call('sendPsbt', txs, account.address)).toMatchObject({ error: PROTECTED })
    expect(world.chain.broadcasts).toEqual([])
  })
})

describe('an inscription that a pushed transaction brings home', () => {
  it('is known on its coin while no block holds it, and the coin is not spent', async () => {
    const { page, worker, coin, id, ...site } = await startInscribed()
    const payer = site.mine(3_000n)
    const inputs = [coin, payer]
    const signed = sign(site, { inputs, outputs: [site.toMe(10_000n), site.toMe(2_000n)] })
    const answer = page.call('pushTx', signed.raw)
    await decideNext(worker, 'approve', 'push-tx')
    await answer
    const coins = await worker.ui('getCoins', null)
    expect(coins.find(({ outpoint }) => outpoint === `${signed.txid}:0`)).toMatchObject({
      held: 'inscribed',
      assets: [{ kind: 'inscription', id }],
    })
  })
})
