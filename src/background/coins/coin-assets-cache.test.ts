import { describe, expect, it } from 'vitest'
import { inHurry } from '../testing/fast-timers.ts'
import {
  draft,
  findCoin,
  payFromSite,
  startFunded,
  startWithCoin,
} from '../testing/funded-wallet.ts'
import { fund } from '../testing/test-wallet.ts'
import { scriptOf } from './coins.ts'

const MINUTE = 60_000
const CLEAN = { known: true, assets: [] } as const
const OUTDATED = { data: { reason: 'PLAN_OUTDATED' } }

describe('the index is asked about a coin', () => {
  it('once in a minute while it is young, and once for good when it is deep', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    const count = async () => {
      const before = world.assets.asked.length
      await worker.ui('getCoins', null)
      return world.assets.asked.slice(before).filter(one => one.startsWith('assets')).length
    }
    expect([await count(), await count()]).toEqual([1, 0])
    world.clock.now += MINUTE
    expect([await count(), await count()]).toEqual([1, 0])
    world.chain.mine(5)
    world.clock.now += MINUTE
    expect(await count()).toBe(1)
    world.clock.now += 10 * MINUTE
    expect(await count()).toBe(0)
    await worker.ui('setServer', { network: 'regtest', kind: 'assets', url: '' })
    expect(await count()).toBe(1)
  })

  it('by all that need to know at the same time together', async () => {
    const { world, worker } = await startWithCoin(100_000n)
    await Promise.all([1, 2, 3].map(() => worker.ui('getCoins', null)))
    expect(world.assets.asked.filter(one => one.startsWith('assets'))).toHaveLength(1)
  })

  it('again right before signing: what it names then stops the payment, its silence does not', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    const plan = await worker.ui('planPayment', draft())
    world.assets.inscribe(outpoint)
    await expect(worker.ui('confirmPayment', plan)).rejects.toMatchObject(OUTDATED)
    expect(world.chain.broadcasts).toEqual([])
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'inscribed' })

    const other = await startWithCoin(100_000n)
    const second = await other.worker.ui('planPayment', draft())
    other.world.assets.faults.unreachable = true
    expect(await other.worker.ui('confirmPayment', second)).toMatchObject({ outcome: 'sent' })
  })

  it('before signing for a site too', async () => {
    const { world, worker, page, outpoint } = await startWithCoin(100_000n)
    await worker.ui('getCoins', null)
    world.assets.inscribe(outpoint)
    const { response } = await payFromSite(worker, page, 20_000)
    expect(response).toMatchObject({ error: OUTDATED })
    expect(world.chain.broadcasts).toEqual([])
  })
})

describe('an index that takes its time', () => {
  it('holds no payment up for longer than it is waited for', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    await worker.ui('getCoins', null)
    world.clock.now += 5 * MINUTE
    const plan = await worker.ui('planPayment', draft())
    world.assets.source.fetchAssets = () => new Promise(() => {})
    world.clock.now += 5 * MINUTE
    expect(await inHurry(() => findCoin(worker, outpoint))).toMatchObject({ held: null })
    const confirm = () => worker.ui('confirmPayment', plan)
    expect(await inHurry(confirm)).toMatchObject({ outcome: 'sent' })
  })

  it('is believed of the largest coins, and of the others once it has told', async () => {
    const { world, worker, account } = await startFunded(1_700n)
    for (let made = 0; made < 250; made++) fund(world, account.address, 20_000n)
    const { fetchAssets } = world.assets.source
    let tell = () => {}
    const late = new Promise<void>(resolve => {
      tell = resolve
    })
    world.assets.source.fetchAssets = async coins => {
      if (coins.some(({ amount }) => amount === 1_700n)) await late
      return fetchAssets(coins)
    }
    const held = async () => {
      const coins = await worker.ui('getCoins', null)
      return coins
        .filter(coin => coin.held !== null)
        .map(({ sats, unchecked }) => [sats, unchecked])
    }
    expect(await inHurry(held)).toEqual([['1700', 'unanswered']])
    tell()
    expect(await held()).toEqual([])
  })

  it('is not heard any more once another one is asked', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    const { source } = world.assets
    const { fetchAssets } = source
    let tell = () => {}
    const late = new Promise<void>(resolve => {
      tell = resolve
    })
    source.fetchAssets = async coins => {
      await late
      return new Map(coins.map(coin => [coin.outpoint, CLEAN]))
    }
    const before = await inHurry(() => findCoin(worker, outpoint))
    expect(before).toMatchObject({ unchecked: 'unanswered' })
    await worker.ui('setServer', { network: 'regtest', kind: 'assets', url: '' })
    source.fetchAssets = fetchAssets
    world.assets.inscribe(outpoint)
    tell()
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'inscribed' })
    expect(JSON.stringify(await world.session.get('coinAnswers'))).toContain('inscription')
  })
})

describe('a coin with more on it than anybody looks at', () => {
  it('does not fill the storage that the wallet needs for everything else', async () => {
    const { world, worker, account, outpoint } = await startWithCoin(100_000n)
    const crowd = fund(world, account.address, 546n)
    const assets = Array.from({ length: 90_000 }, (_, at) => ({
      kind: 'inscription' as const,
      ...{ id: `${'ab'.repeat(32)}i${at}`, offset: null },
    }))
    world.assets.lie(`${crowd}:0`, { known: true, assets })
    await worker.wallet.coinAssets.classify(worker.wallet, 'regtest', account.id, [
      ...(await world.chain.chain.fetchUtxos(account.address, scriptOf(account, 'regtest'))),
    ])
    const stored = JSON.stringify(await world.session.get('coinAnswers'))
    expect(stored).toContain(outpoint)
    expect(stored.length).toBeLessThan(1_000)
  })
})
