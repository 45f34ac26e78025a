import { describe, expect, it } from 'vitest'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { nftOf } from '../../ordinals/testing/atomical-assets.ts'
import { idOf } from '../../ordinals/testing/test-assets.ts'
import { startWithAtomicals } from '../testing/atomical-wallet.ts'
import { startFunded } from '../testing/funded-wallet.ts'
import { loadMovable, locateAssets, locateCoin, renewCoins } from './asset-coins.ts'
import { loadCoins } from './coins.ts'

const CLEAN = { known: true, assets: [] } as const
const MINUTE = 60_000

type Started = Pick<Awaited<ReturnType<typeof startFunded>>, 'worker' | 'account'>

/** The account and its coins, as a transfer begins with them. */
async function open({ worker, account }: Started) {
  const context = { wallet: worker.wallet, network: 'regtest', account } as const
  return { context, coins: await loadCoins(worker.wallet, account, 'regtest') }
}

async function start(...sats: bigint[]) {
  const { world, worker, account, txids } = await startFunded(...sats)
  return { world, worker, account, outpoints: txids.map(txid => `${txid}:0`) }
}

describe('the coins of what is to move', () => {
  it('are each there once, in the order asked, with all that is on them and on which sats', async () => {
    const { world, outpoints, ...started } = await start(9_000n, 8_000n, 700n)
    const [first = '', second = '', third = ''] = outpoints
    const a = world.assets.inscribe(first, { offset: 5n })
    const b = world.assets.inscribe(second, { offset: 7n })
    const c = world.assets.inscribe(first, { offset: 77n })
    const rune = world.assets.etch(second)
    world.assets.inscribe(third)
    const { context, coins } = await open(started)
    const movable = await locateAssets(context, coins, [b, c, a], 'ids')
    expect(movable.map(({ outpoint, amount }) => [outpoint, amount])).toEqual([
      [second, 8_000n],
      [first, 9_000n],
    ])
    expect(movable[0]?.assets).toHaveLength(2)
    expect(movable[0]?.assets).toEqual(
      expect.arrayContaining([{ kind: 'inscription', id: b, offset: 7n }, rune]),
    )
    expect(movable[1]?.assets).toEqual([
      { kind: 'inscription', id: a, offset: 5n },
      { kind: 'inscription', id: c, offset: 77n },
    ])
    const renewed = renewCoins(coins, movable).all
    expect(renewed.map(({ outpoint }) => outpoint)).toEqual(
      coins.all.map(({ outpoint }) => outpoint),
    )
    const known = new Map(renewed.map(({ outpoint, assets }) => [outpoint, assets]))
    expect(known.get(first)).toEqual({ known: true, assets: movable[1]?.assets })
    expect(known.get(third)).toEqual(coins.all.find(({ outpoint }) => outpoint === third)?.assets)
  })

  it('are refused with the name of the field for what is on none of them', async () => {
    const { world, outpoints, ...started } = await start(9_000n)
    const there = world.assets.inscribe(outpoints[0] ?? '')
    const { context, coins } = await open(started)
    await expect(locateAssets(context, coins, [there, idOf(9)], 'ids')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^ids: .*inscriptions/),
    })
    await expect(locateAssets(context, coins, [idOf(9)], 'wanted')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('wanted'),
    })
  })

  it('are named where their content is unknown, and what is on another one is not said to be there', async () => {
    const { world, outpoints, ...started } = await start(9_000n, 8_000n)
    const [first = '', second = ''] = outpoints
    const id = world.assets.inscribe(second)
    for (const outpoint of outpoints) world.assets.lie(outpoint, { known: false, why: 'behind' })
    const { context, coins } = await open(started)
    await expect(locateAssets(context, coins, [id], 'ids')).rejects.toMatchObject({
      data: { reason: 'PROTECTED_ASSET', outpoint: second, why: 'behind' },
    })
    const lost = await locateAssets(context, coins, [idOf(9)], 'ids').catch(error => error)
    expect(lost).toMatchObject({ data: { reason: 'PROTECTED_ASSET', why: 'behind' } })
    expect(lost.message).toContain(`Inscription ${idOf(9)}`)
    expect(lost.message).toContain('of 2 ')
    expect(lost.data.outpoint).toBeUndefined()
    await expect(loadMovable(context, coins, [first])).rejects.toMatchObject({
      data: { reason: 'COINS_HELD' },
    })
  })

  it('are asked about anew: what the index took back moves nothing', async () => {
    const { world, outpoints, ...started } = await start(9_000n)
    const [outpoint = ''] = outpoints
    const id = world.assets.inscribe(outpoint)
    const { context, coins } = await open(started)
    world.assets.lie(outpoint, CLEAN)
    world.clock.now += 5 * MINUTE
    await expect(locateAssets(context, coins, [id], 'ids')).rejects.toMatchObject({
      data: { reason: 'PROTECTED_ASSET' },
    })
  })

  it('are held where the person locked them, or where nothing says that they carry anything', async () => {
    const { world, worker, account, outpoints } = await start(9_000n, 8_000n)
    const [locked = '', unknown = ''] = outpoints
    const id = world.assets.inscribe(locked)
    await worker.ui('setCoinChoice', { outpoint: locked, choice: 'locked' })
    world.assets.lie(unknown, { known: false, why: 'behind' })
    const { context, coins } = await open({ worker, account })
    await expect(locateAssets(context, coins, [id], 'ids')).rejects.toMatchObject({
      data: { reason: 'COINS_HELD' },
    })
    await expect(locateCoin(context, coins, unknown)).rejects.toMatchObject({
      data: { reason: 'COINS_HELD' },
    })
  })

  it('may be of runes alone, or of an inscription alone', async () => {
    const { world, outpoints, ...started } = await start(9_000n, 8_000n)
    const [runic = '', inscribed = ''] = outpoints
    const rune = world.assets.etch(runic)
    const id = world.assets.inscribe(inscribed, { offset: 3n })
    const { context, coins } = await open(started)
    expect(await locateCoin(context, coins, runic)).toMatchObject({
      outpoint: runic,
      assets: [rune],
    })
    expect(await locateCoin(context, coins, inscribed)).toMatchObject({
      assets: [{ kind: 'inscription', id, offset: 3n }],
    })
  })

  it('are not moved while nobody says on which sat an inscription is', async () => {
    const { world, outpoints, ...started } = await start(9_000n)
    const [outpoint = ''] = outpoints
    const id = idOf(5)
    world.assets.lie(outpoint, {
      known: true,
      assets: [{ kind: 'inscription', id, offset: null }],
    })
    const { context, coins } = await open(started)
    const refused = {
      message: expect.stringContaining(`Inscription ${id}`),
      data: { reason: 'PROTECTED_ASSET' },
    }
    await expect(locateCoin(context, coins, outpoint)).rejects.toMatchObject(refused)
    await expect(locateAssets(context, coins, [id], 'ids')).rejects.toMatchObject(refused)
  })
})

describe('Atomicals', () => {
  it('cannot be found where no server tells of them', async () => {
    const { context, coins } = await open(await start(9_000n))
    const wallet = { ...context.wallet, atomicals: async () => null }
    const key = keyOfAsset(nftOf(1))
    await expect(locateAssets({ ...context, wallet }, coins, [key], 'ids')).rejects.toMatchObject({
      code: 4200,
    })
  })

  it('of one kind move with their coins, and tokens are sent by their amount', async () => {
    const started = await startWithAtomicals([
      { sats: 900n, with: [{ type: 'nft' }] },
      { sats: 800n, with: [{ type: 'ft', amount: 800n }] },
    ])
    const [nft = '', token = ''] = started.keys
    const { context, coins } = await open(started)
    const [movable] = await locateAssets(context, coins, [nft], 'ids')
    expect(movable?.outpoint).toBe(started.outpoints[0])
    expect(movable?.assets).toMatchObject([{ kind: 'atomical', type: 'nft' }])
    await expect(locateAssets(context, coins, [nft, token], 'ids')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('no token'),
    })
    const missing = keyOfAsset(nftOf(9))
    await expect(locateAssets(context, coins, [missing], 'ids')).rejects.toMatchObject({
      code: -32602,
    })
  })
})
