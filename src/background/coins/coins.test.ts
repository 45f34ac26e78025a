import { describe, expect, it } from 'vitest'
import {
  draft,
  payFromPopup,
  payFromSite,
  RECIPIENT,
  startFunded,
} from '../testing/funded-wallet.ts'
import { fund, nextApproval, startWorker } from '../testing/test-wallet.ts'
import { loadCoins } from './coins.ts'

const DAY_MS = 24 * 3_600_000

describe('the coins of an account', () => {
  it('are listed largest first, each with what sits on it and the reason why it is not spent', async () => {
    const coins = [60_000n, 10_001n, 10_000n, 800n, 700n, 546n]
    const { world, worker, account, txids } = await startFunded(...coins)
    fund(world, account.address, 70_000n, { confirmed: false })
    const outpoints = txids.map(txid => `${txid}:0`)
    const [rent = '', locked = '', , behind = '', runic = '', unlocked = ''] = outpoints
    world.assets.lie(behind, { known: false, why: 'behind' })
    world.assets.etch(runic, { name: 'SATCHEL•RUNE', amount: 150n, divisibility: 1, symbol: 'S' })
    const id = world.assets.inscribe(unlocked, { number: 7 })
    const inscription = { kind: 'inscription' as const, id, number: 7 }
    await worker.ui('setCoinChoice', { outpoint: locked, choice: 'locked' })
    const shown = { assets: [inscription], unchecked: null }
    await worker.ui('setCoinChoice', { outpoint: unlocked, choice: 'unlocked', shown })
    await worker.ui('setLabel', { txid: txids[0] ?? '', label: 'rent' })
    const clean = { assets: [], unchecked: null }
    expect(await worker.ui('getCoins', null)).toEqual([
      expect.objectContaining({ sats: '70000', held: 'unconfirmed', unchecked: 'unconfirmed' }),
      {
        ...{ outpoint: rent, sats: '60000', held: null, height: 100, choice: null, label: 'rent' },
        ...clean,
        ...{ mergeable: true, rareSats: [] },
      },
      expect.objectContaining({ sats: '10001', held: 'locked', choice: 'locked', ...clean }),
      expect.objectContaining({ sats: '10000', held: null, ...clean }),
      expect.objectContaining({ sats: '800', held: 'unknown', assets: [], unchecked: 'behind' }),
      expect.objectContaining({
        ...{ sats: '700', held: 'runic', unchecked: null },
        assets: [{ kind: 'rune', name: 'SATCHEL•RUNE', amount: '15', symbol: 'S' }],
      }),
      expect.objectContaining({ sats: '546', held: null, choice: 'unlocked', ...shown }),
    ])
  })

  it('of a payment that is asked about or under way are reserved, and its change may be spent', async () => {
    const { worker, page } = await startFunded(100_000n, 80_000n)
    const { txid } = await payFromSite(worker, page, 85_000)
    void page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 30 })
    const { review } = await nextApproval(worker, 'payment')
    const planned = review.kind === 'payment' ? review.inputs.map(({ outpoint }) => outpoint) : []
    const coins = await worker.ui('getCoins', null)
    for (const { outpoint, held } of coins) {
      expect(held).toBe(planned.includes(outpoint) ? 'reserved' : null)
    }
    expect(coins.some(({ outpoint }) => outpoint.startsWith(txid))).toBe(true)
  })

  it('that the switches free are spent, and those of unknown content are named', async () => {
    const { world, worker, account } = await startFunded(10_001n, 10_000n)
    fund(world, account.address, 50_000n, { confirmed: false })
    fund(world, account.address, 9_000n, { confirmed: false })
    world.assets.faults.unreachable = true
    const switches = { spendUnconfirmed: true, spendUnchecked: true }
    await worker.ui('changeSettings', {
      expert: { ...switches, burnAssets: false, anySighash: false, holdSmallCoins: false },
    })
    expect(await worker.ui('getCoins', null)).toMatchObject([
      ...[{ held: null }, { held: null }],
      ...[{ held: 'unknown' }, { held: 'unknown' }],
    ])
    const { review, outcome } = await payFromPopup(worker, {
      recipients: [{ to: RECIPIENT, sats: 'max' }],
    })
    expect(outcome).toBe('sent')
    expect(review.inputs.map(({ sats }) => sats)).toEqual(['50000', '10001'])
    expect(review.warnings).toEqual(
      expect.arrayContaining([
        { kind: 'spends-unconfirmed', inputs: [0] },
        { kind: 'unchecked-coins', inputs: [1], why: 'unanswered' },
        { kind: 'unchecked-coins', inputs: [0], why: 'unconfirmed' },
      ]),
    )
  })

  it('of a watched address can be seen', async () => {
    const { world, worker } = await startFunded()
    const watched = await worker.ui('watchAddress', { address: RECIPIENT, name: '' })
    await worker.ui('selectAccount', { accountId: watched.id })
    fund(world, RECIPIENT, 50_000n)
    expect(await worker.ui('getCoins', null)).toMatchObject([{ sats: '50000', held: null }])
    await expect(worker.ui('planPayment', draft())).rejects.toMatchObject({
      data: { reason: 'WATCHED_ONLY' },
    })
  })

  it('take ten thousand no longer than a moment', async () => {
    const { worker, world, account } = await startFunded()
    const utxos = Array.from({ length: 10_000 }, (_, index) => ({
      txid: index.toString(16).padStart(64, '0'),
      vout: 0,
      amount: 5_000n + BigInt(index),
      scriptPubKey: new Uint8Array(34),
      height: 100,
    }))
    const chain = { ...world.chain.chain, fetchUtxos: async () => utxos }
    const { source } = world.assets
    const clean = { known: true, assets: [] } as const
    const fetchAssets = async (coins: readonly { outpoint: string }[]) =>
      new Map(coins.map(({ outpoint }) => [outpoint, clean]))
    const wallet = {
      ...worker.wallet,
      chain: async () => chain,
      assets: async () => ({ ...source, fetchAssets }),
    }
    const times: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      const start = process.cpuUsage()
      const { all, spendable } = await loadCoins(wallet, account, 'regtest')
      times.push(process.cpuUsage(start).user / 1000)
      expect([all.length, spendable.length]).toEqual([10_000, 10_000])
    }
    expect(Math.min(...times)).toBeLessThan(500)
  })
})

describe('what the person decided about a coin', () => {
  it('is kept for another worker, can be taken back, and no payment spends a locked coin', async () => {
    const { world, worker, txids } = await startFunded(100_000n)
    const outpoint = `${txids[0]}:0`
    await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
    const second = startWorker(world)
    await expect(second.ui('planPayment', draft())).rejects.toMatchObject({
      data: { reason: 'COINS_HELD', heldLocked: '100000', available: '0' },
    })
    await second.ui('setCoinChoice', { outpoint, choice: null })
    expect((await payFromPopup(second)).outcome).toBe('sent')
  })

  it('is forgotten a month after the coin was spent, and not before', async () => {
    const { world, worker, account, txids } = await startFunded(100_000n)
    const outpoint = `${txids[0]}:0`
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked' })
    await payFromPopup(worker)
    await worker.ui('getCoins', null)
    world.clock.now += 29 * DAY_MS
    await worker.wallet.coinChoices.tidy('regtest', account.id, new Set())
    expect([...(await worker.wallet.coinChoices.load('regtest')).keys()]).toEqual([outpoint])
    world.clock.now += 2 * DAY_MS
    await worker.wallet.coinChoices.tidy('regtest', account.id, new Set())
    expect((await worker.wallet.coinChoices.load('regtest')).size).toBe(0)
  })

  it('is forgotten with its account', async () => {
    const { worker, account, txids } = await startFunded(100_000n)
    await worker.ui('setCoinChoice', { outpoint: `${txids[0]}:0`, choice: 'locked' })
    await worker.ui('removeAccount', { accountId: account.id })
    expect((await worker.wallet.coinChoices.load('regtest')).size).toBe(0)
  })

  it.each([
    ['outpoint', { outpoint: 'coin', choice: 'locked' }],
    ['choice', { outpoint: `${'0'.repeat(64)}:0`, choice: 'burn' }],
  ])('is refused with the name of the field: %s', async (field, params) => {
    const { worker } = await startFunded()
    await expect(
      worker.ui('setCoinChoice', params as { outpoint: string; choice: 'locked' }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(field) })
  })
})
