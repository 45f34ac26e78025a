import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import type { PreparedCoin } from '../sending/outgoing.ts'
import {
  dieAfter,
  findCoin,
  inputsOf,
  outputsOf,
  payFromPopup,
  readBroadcast,
  SITE,
} from '../testing/funded-wallet.ts'
import { approveSigning, publishPrevious, resultOf, startSigner } from '../testing/psbt-site.ts'
import { buildPurchase } from '../testing/purchase.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import {
  decideAll,
  decideNext,
  fund,
  openPage,
  PASSWORD,
  startWorker,
} from '../testing/test-wallet.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Site = Awaited<ReturnType<typeof start>>

/** A wallet with a coin to split and a larger one. */
async function start(addressType: (typeof ADDRESS_TYPES)[number] = 'p2tr') {
  const site = await startSigner(addressType)
  const [first, second] = [30_000n, 100_000n].map(sats => ({
    ...{ txid: fund(site.world, site.account.address, sats), vout: 0, sats },
  }))
  if (!first || !second) throw new Error('no coins')
  return { ...site, coins: [first, second] as const }
}

async function split({ page, worker, account }: Site, params: object = {}) {
  const answer = page.call('splitUtxo', { from: account.address, ...params })
  const { review } = await decideNext(worker, 'approve', 'payment')
  const response = await answer
  if (!('result' in response)) throw new Error(JSON.stringify(response))
  const { utxos } = response.result as { utxos: PreparedCoin[] }
  return { utxos, txid: utxos[0]?.txId ?? '', review }
}

/** A purchase with the coin that the split left alone, shown and signed. */
async function signPurchase(site: Site, utxos: readonly PreparedCoin[], proof?: 'none') {
  const { coins, worker } = site
  const untouched = []
  for (const coin of coins) {
    const { held } = (await findCoin(worker, `${coin.txid}:0`)) ?? {}
    if (held === null) untouched.push(coin)
  }
  const [payment] = untouched
  if (!payment) throw new Error('no coin is left')
  const { psbt, built } = buildPurchase(site, utxos, payment, { ...(proof && { proof }) })
  publishPrevious(site, built)
  const { response, review } = await approveSigning(site, 'signPsbt', psbt)
  return { psbt: resultOf(response), review }
}

async function statusOf({ worker }: Pick<Site, 'worker'>, txid: string) {
  return (await worker.ui('getActivityDetails', { txid })).entry.status
}

describe('splitUtxo', () => {
  it.each([
    [undefined, 2],
    [null, 2],
    [2, 2],
    ['3', 3],
    [7, 7],
  ])('signs coins of 546 sats to the account, and sends nothing (amount %j)', async (amount, n) => {
    const site = await start()
    const { utxos, txid, review } = await split(site, { amount })
    expect(review).toMatchObject({ purpose: 'prepare', sats: String(546 * n), warnings: [] })
    expect(utxos).toHaveLength(n)
    expect(site.world.chain.broadcasts).toEqual([])

    const [rawTransaction = ''] = new Set(utxos.map(coin => coin.rawTransaction))
    site.world.chain.receive(fromHex(rawTransaction))
    const transaction = readBroadcast(site.world, txid)
    expect(transaction.id).toBe(txid)
    const outputs = outputsOf(transaction)
    expect(utxos).toEqual(
      Array.from({ length: n }, (_, vOut) => ({ txId: txid, vOut, amount: 546, rawTransaction })),
    )
    for (const { address } of outputs) expect(address).toBe(site.account.address)
    expect(outputs.slice(0, n).every(({ sats }) => sats === 546n)).toBe(true)
    const spent = inputsOf(transaction).reduce((sum, outpoint) => {
      const coin = site.coins.find(({ txid }) => outpoint === `${txid}:0`)
      return sum + (coin?.sats ?? 0n)
    }, 0n)
    const paid = outputs.reduce((sum, { sats }) => sum + sats, 0n)
    expect(review).toMatchObject({ fee: String(spent - paid), feeRate: 5 })
    expect(spent - paid).toBe(BigInt(transaction.vsize) * 5n)
  })

  it('makes fifty at most', async () => {
    const site = await start()
    const { utxos } = await split(site, { amount: 50 })
    expect(utxos.map(({ vOut }) => vOut)).toEqual(Array.from({ length: 50 }, (_, at) => at))
  })

  it.each([1, 51, 0, -2, 2.5, '2.5', 'two', '', true, [2], {}])(
    'names the amount when it is none: %j',
    async amount => {
      const { page, account } = await start()
      expect(await page.call('splitUtxo', { from: account.address, amount })).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(/^amount: /) },
      })
    },
  )

  it('is refused where the money does not suffice, or sits under an inscription, before anybody is asked', async () => {
    const site = await startSigner('p2tr')
    const { world, page, account } = site
    const { shown } = world.window
    const txid = fund(world, account.address, 20_000n)
    const ask = (amount: number) => page.call('splitUtxo', { from: account.address, amount })
    expect(await ask(50)).toMatchObject({
      error: { code: -32000, data: { reason: 'INSUFFICIENT_FUNDS', available: '20000' } },
    })
    world.assets.inscribe(`${txid}:0`, { body: 'not to be split' })
    world.clock.now += DAY_MS
    await site.worker.ui('unlock', { password: PASSWORD })
    expect(await ask(2)).toMatchObject({
      error: { code: -32000, data: { reason: 'COINS_HELD', heldInscribed: '20000' } },
    })
    expect(world.window.shown).toBe(shown)
  })

  it('answers for the connected address alone', async () => {
    const { page, account } = await start()
    expect(await page.call('splitUtxo', {})).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^from: /) },
    })
    const other = account.address.replace(/.$/, last => (last === 'q' ? 'p' : 'q'))
    expect(await page.call('splitUtxo', { from: other })).toMatchObject({ error: { code: 4100 } })
  })

  it('signs nothing when the person says no', async () => {
    const { page, worker, account } = await start()
    const answer = page.call('splitUtxo', { from: account.address })
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await worker.wallet.activity.listSent('regtest', account.id)).toEqual([])
  })

  it.each(Array.from({ length: 12 }, (_, at) => at))(
    'in a worker that dies before write %i is one transaction, kept back once',
    async moment => {
      const site = await start()
      const { world, account } = site
      const doomed = dieAfter(world, moment)
      const dying = startWorker(doomed)
      const params = { from: account.address }
      const first = openPage(dying, SITE).send('split', 'splitUtxo', params)
      void decideNext(dying, 'approve').catch(() => {})
      await Promise.race([doomed.died, first])

      const second = startWorker(world)
      const again = openPage(second, SITE).send('split', 'splitUtxo', params)
      const answer = await decideAll(second, 'approve', again)
      const records = await second.wallet.activity.listSent('regtest', account.id)
      expect(records.map(({ kind, status }) => [kind, status])).toEqual([['prepared', 'unsent']])
      const [{ txid = '', rawTx = '' } = {}] = records
      expect(answer).toMatchObject({
        result: { utxos: [0, 1].map(vOut => ({ txId: txid, vOut, rawTransaction: rawTx })) },
      })
      expect(world.chain.broadcasts).toEqual([])
    },
  )
})

describe('what is kept back', () => {
  it('reserves its coins, is never sent by itself, and cannot be replaced', async () => {
    const site = await start()
    const { worker, world, coins } = site
    const { txid } = await split(site)
    const kept = await worker.wallet.activity.listSent('regtest', site.account.id)
    const [spent = ''] = kept[0]?.spends ?? []
    expect(await findCoin(worker, spent)).toMatchObject({ held: 'reserved' })
    await worker.ui('getOverview', null)
    expect(world.chain.broadcasts).toEqual([])
    expect(await statusOf(site, txid)).toBe('unsent')
    expect(await worker.ui('getBumpOptions', { txid })).toMatchObject({
      ...{ 'speed-up': { why: 'ENDED' }, cancel: { why: 'ENDED' }, child: { why: 'ENDED' } },
    })
    const paid = await payFromPopup(worker)
    expect(inputsOf(readBroadcast(world, paid.txid))).not.toContain(spent)
    expect(coins.map(coin => `${coin.txid}:0`)).toContain(spent)
  })

  it('is free again after a day, and the next payment makes it worthless', async () => {
    const site = await start()
    const { worker, world } = site
    const { txid } = await split(site)
    const [record] = await worker.wallet.activity.listSent('regtest', site.account.id)
    const [spent = ''] = record?.spends ?? []
    world.clock.now += DAY_MS
    await worker.ui('unlock', { password: PASSWORD })
    expect(await findCoin(worker, spent)).toMatchObject({ held: 'reserved' })
    world.clock.now += 1
    expect(await findCoin(worker, spent)).toMatchObject({ held: null })
    await worker.ui('getOverview', null)
    expect(await statusOf(site, txid)).toBe('failed')
    const paid = await payFromPopup(worker)
    expect(inputsOf(readBroadcast(world, paid.txid))).toContain(spent)
    expect(world.chain.broadcasts).toEqual([paid.txid])
  })

  it('is free at once when the person drops it, once', async () => {
    const site = await start()
    const { worker } = site
    const { txid } = await split(site)
    const [record] = await worker.wallet.activity.listSent('regtest', site.account.id)
    await worker.ui('dropUnsent', { txid })
    expect(await findCoin(worker, record?.spends[0] ?? '')).toMatchObject({ held: null })
    expect(await statusOf(site, txid)).toBe('failed')
    await expect(worker.ui('dropUnsent', { txid })).rejects.toMatchObject({ code: -32602 })
    await expect(worker.ui('dropUnsent', { txid: '00'.repeat(32) })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('that the site sends by itself is a payment like others', async () => {
    const site = await start()
    const { txid, utxos } = await split(site)
    site.world.chain.receive(fromHex(utxos[0]?.rawTransaction ?? ''))
    await site.worker.ui('getOverview', null)
    expect(await statusOf(site, txid)).toBe('pending')
    site.world.chain.mine()
    await site.worker.ui('getOverview', null)
    expect(await statusOf(site, txid)).toBe('confirmed')
  })

  it('has come to nothing once a block has another transaction of its coins', async () => {
    const site = await start()
    const { txid } = await split(site)
    await site.worker.ui('getOverview', null)
    const [record] = await site.worker.wallet.activity.listSent('regtest', site.account.id)
    const [txidOfCoin = ''] = record?.spends[0]?.split(':') ?? []
    const amount = site.coins.find(coin => coin.txid === txidOfCoin)?.sats ?? 0n
    const fields = { tapInternalKey: fromHex(site.account.publicKey).slice(1) }
    const own = { type: 'p2tr' as const, key: site.key, amount, fields }
    const conflicting = signElsewhere(
      buildFresh({
        inputs: [{ ...own, outpoint: { txid: txidOfCoin, vout: 0 } }],
        outputs: [{ type: 'p2wpkh', amount: amount - 1_000n }],
      }),
      site.key,
    )
    site.world.chain.receive(fromHex(conflicting.raw))
    await site.worker.ui('getOverview', null)
    expect(await statusOf(site, txid)).toBe('replaced')
  })
})

describe('a purchase with the coins of a split', () => {
  it.each(
    ADDRESS_TYPES.flatMap(type =>
      [undefined, 'none' as const].map(proof => [type, proof] as const),
    ),
  )(
    'is signed and pushed, the split first (%s, PSBT with %s of the coins)',
    async (type, proof) => {
      // A PSBT with amounts alone proves nothing of these.
      const site = await start(type)
      const { utxos, txid } = await split(site)
      const { psbt, review } = await signPurchase(site, utxos, type === 'p2pkh' ? 'none' : proof)
      expect(review.items[0]).toMatchObject({ fee: { sats: '2000' }, assets: [] })
      expect(review.items[0]?.warnings.map(({ kind }) => kind)).not.toContain('unchecked-coins')
      const pushed = await site.page.call('pushPsbt', psbt)
      const { broadcasts } = site.world.chain
      expect(broadcasts).toEqual([txid, expect.any(String)])
      expect(pushed).toMatchObject({ result: broadcasts[1] })
      expect(inputsOf(readBroadcast(site.world, broadcasts[1] ?? '')).slice(0, 2)).toEqual([
        `${txid}:0`,
        `${txid}:1`,
      ])
      expect(await statusOf(site, txid)).toBe('pending')
      site.world.chain.mine()
      await site.worker.ui('getOverview', null)
      expect(await statusOf(site, txid)).toBe('confirmed')
    },
  )

  it('is sent as a batch with the split as its first item', async () => {
    const site = await start()
    const { utxos, txid } = await split(site)
    const { psbt } = await signPurchase(site, utxos)
    const batch = [
      { itemId: 'split', signedTx: utxos[0]?.rawTransaction, type: 52 },
      { itemId: 'buy', signedTx: psbt, type: 52, dependItemId: ['split'] },
    ]
    const sent = await site.page.call('sendPsbt', batch, site.account.address)
    const [first, second] = site.world.chain.broadcasts
    expect(first).toBe(txid)
    expect(sent).toMatchObject({ result: [{ split: txid }, { buy: second }] })
    const { entry } = await site.worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ kind: 'prepared', status: 'pending' })
  })

  it('is sent as a batch of its own after the split', async () => {
    const site = await start()
    const { utxos, txid } = await split(site)
    const { psbt } = await signPurchase(site, utxos)
    const batch = [{ itemId: 'buy', signedTx: psbt, type: 52 }]
    const sent = await site.page.call('sendPsbt', batch, site.account.address)
    expect(site.world.chain.broadcasts).toEqual([txid, expect.any(String)])
    expect(sent).toMatchObject({ result: [{ buy: site.world.chain.broadcasts[1] }] })
  })

  it('follows a split that the site has pushed, which asks nothing', async () => {
    const site = await start()
    const { utxos, txid } = await split(site)
    const { psbt } = await signPurchase(site, utxos)
    const pushed = await site.page.call('pushTx', utxos[0]?.rawTransaction)
    expect(pushed).toMatchObject({ result: txid })
    expect(await site.page.call('pushPsbt', psbt)).toHaveProperty('result')
    expect(site.world.chain.broadcasts).toEqual([txid, expect.any(String)])
  })

  it('fails with the split that the network refuses, and leaves no coin reserved', async () => {
    const site = await start()
    const { utxos, txid } = await split(site)
    const { psbt } = await signPurchase(site, utxos)
    site.world.chain.faults.refuse = 'min relay fee not met'
    expect(await site.page.call('pushPsbt', psbt)).toMatchObject({
      error: { data: { reason: 'BROADCAST_REJECTED', node: 'min relay fee not met' } },
    })
    expect(await statusOf(site, txid)).toBe('failed')
    const coins = await site.worker.ui('getCoins', null)
    expect(coins.map(({ held }) => held)).toEqual([null, null])
  })

  it('is not sent after the person has dropped the split', async () => {
    const site = await start()
    const { utxos, txid } = await split(site)
    const { psbt } = await signPurchase(site, utxos)
    await site.worker.ui('dropUnsent', { txid })
    const answer = site.page.call('pushPsbt', psbt)
    await decideNext(site.worker, 'reject', 'push-tx')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('arrives after its split when the server was away, without the page', async () => {
    const site = await start()
    const { worker, world } = site
    const { utxos, txid } = await split(site)
    const { psbt } = await signPurchase(site, utxos)
    world.chain.faults.loseAnswers = true
    expect(await site.page.call('pushPsbt', psbt)).toMatchObject({
      error: { data: { reason: 'BACKEND_UNAVAILABLE' } },
    })
    world.chain.evict(txid)
    world.chain.faults.loseAnswers = false
    world.chain.broadcasts.length = 0
    await worker.ui('getOverview', null)
    expect(world.chain.broadcasts).toEqual([txid, expect.any(String)])
  })

  it.each(Array.from({ length: 8 }, (_, at) => at))(
    'in a worker that dies before write %i is sent once, after its split',
    async moment => {
      const site = await start()
      const { world } = site
      const { utxos, txid } = await split(site)
      const { psbt } = await signPurchase(site, utxos)
      const doomed = dieAfter(world, moment)
      const first = openPage(startWorker(doomed), SITE).send('push', 'pushPsbt', psbt)
      await Promise.race([doomed.died, first])
      const page = openPage(startWorker(world), SITE)
      expect(await page.send('push', 'pushPsbt', psbt)).toHaveProperty('result')
      const sent = [...new Set(world.chain.broadcasts)]
      expect(sent).toEqual([txid, expect.any(String)])
      for (const each of sent) expect(await statusOf(site, each)).toBe('pending')
    },
  )
})
