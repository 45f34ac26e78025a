import { describe, expect, it } from 'vitest'
import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { nftOf, tokenOf } from '../../ordinals/testing/atomical-assets.ts'
import { idOf, inscription, RUNES } from '../../ordinals/testing/test-assets.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { HeldReason } from '../views/asset-views.ts'
import { loadMovable, locateAssets, locateCoin, renewCoins } from './asset-coins.ts'
import type { Coin, CoinParts, Coins } from './coins.ts'

const SILENT: CoinAssets = { known: false, why: 'behind' }
const holding = (...assets: Asset[]): CoinAssets => ({ known: true, assets })
const outpoint = (n: number) => `${n.toString(16).padStart(64, '0')}:0`

function coin(
  n: number,
  assets: CoinAssets,
  { height = 1, held = 'inscribed' }: { height?: number | null; held?: HeldReason | null } = {},
): Coin {
  const txid = n.toString(16).padStart(64, '0')
  return {
    ...{ txid, vout: 0, outpoint: outpoint(n), amount: 1_000n, height, held, assets },
    ...{ scriptPubKey: new Uint8Array(), choice: null },
  }
}

const coinsOf = (...all: Coin[]): Coins => ({
  ...{ all, spendable: all.filter(({ held }) => held === null) },
  withRequired: chosen => [...chosen],
  isSecret: false,
})

/** A wallet whose indexes say this now; `atomicals` is null where none is set. */
function open({
  recheck = {},
  atomicals = {},
  offsets = {},
  facts = {},
}: {
  recheck?: { [outpoint: string]: CoinAssets }
  atomicals?: { [outpoint: string]: CoinAssets } | null
  offsets?: { [outpoint: string]: CoinAssets }
  facts?: { [id: string]: string }
} = {}) {
  const asked: string[][] = []
  const wallet = {
    coinAssets: {
      recheck: async () => new Map(Object.entries(recheck)),
      complete: async (...[, , coins]: [unknown, unknown, Coin[]]) => ({
        assets: new Map(coins.map(one => [one.outpoint, offsets[one.outpoint] ?? one.assets])),
        numbers: new Map(),
      }),
    },
    atomicals: async () =>
      atomicals && {
        fetchAtomicals: async (coins: Coin[]) => {
          asked.push(coins.map(one => one.outpoint))
          return new Map(Object.entries(atomicals))
        },
      },
    assets: async () => ({
      fetchInscriptions: async (ids: string[]) =>
        new Map(
          ids.flatMap(id =>
            facts[id] === undefined ? [] : [[id, { satpoint: { outpoint: facts[id] } }]],
          ),
        ),
    }),
  }
  const context = {
    ...{ wallet, network: 'regtest', account: { id: 'one' } },
  } as unknown as PaymentContext<CoinParts>
  return { context, asked }
}

const locate = (given: Parameters<typeof open>[0], coins: Coins, ...keys: string[]) =>
  locateAssets(open(given).context, coins, keys, 'ids')

const PROTECTED = { code: -32000, data: { reason: 'PROTECTED_ASSET' } }
const INVALID = { code: -32602, message: expect.stringMatching(/^ids: /) }

describe('what is to be moved', () => {
  const nft = nftOf(1)
  const first = coin(1, holding(inscription(1, 5n), RUNES))
  const second = coin(2, holding(nft), { held: 'atomical' })

  it('is found on its coins, each once, in the order asked', async () => {
    const both = coin(3, holding(inscription(3, 0n), inscription(4, 9n)))
    const coins = coinsOf(first, second, both)
    const found = await locate({}, coins, idOf(4), keyOfAsset(nft), idOf(1), idOf(3))
    expect(found.map(({ outpoint, assets }) => [outpoint, assets.length])).toEqual([
      [outpoint(3), 2],
      [outpoint(2), 1],
      [outpoint(1), 2],
    ])
  })

  it('needs an index of Atomicals where one is among it', async () => {
    const none = { atomicals: null }
    const coins = coinsOf(first, second)
    await expect(locate(none, coins, idOf(1), keyOfAsset(nft))).rejects.toMatchObject({
      code: 4200,
    })
    await expect(locate(none, coins, idOf(1))).resolves.toHaveLength(1)
  })

  it('is no rune, and no token, whose units are sent by their amount', async () => {
    const token = tokenOf(7, 500n)
    const coins = coinsOf(first, coin(4, holding(token), { held: 'atomical' }))
    await expect(locate({}, coins, keyOfAsset(RUNES))).rejects.toMatchObject(INVALID)
    await expect(locate({}, coins, idOf(1), keyOfAsset(token))).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining('no token') },
    })
    // A token that nobody asked for is in nobody's way.
    await expect(locate({}, coins, idOf(1))).resolves.toHaveLength(1)
  })

  it('that is on no coin of the account is named', async () => {
    await expect(locate({}, coinsOf(first), idOf(1), idOf(9))).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining('inscriptions or Atomicals on coins') },
    })
  })

  it('that may be on a coin of unknown content is not called missing', async () => {
    const coins = coinsOf(first, coin(5, SILENT, { held: 'unknown' }))
    await expect(locate({}, coins, idOf(9))).rejects.toMatchObject({
      data: { reason: 'PROTECTED_ASSET', why: 'behind' },
    })
    const there = { facts: { [idOf(9)]: outpoint(5) } }
    await expect(locate(there, coins, idOf(9))).rejects.toMatchObject({
      data: { reason: 'PROTECTED_ASSET', why: 'behind', outpoint: outpoint(5) },
    })
  })

  it('is not moved where the index tells no sat of it any more', async () => {
    const unplaced = { offsets: { [outpoint(1)]: holding(inscription(1, null)) } }
    await expect(locate(unplaced, coinsOf(first), idOf(1))).rejects.toMatchObject(PROTECTED)
    const gone = { recheck: { [outpoint(1)]: holding(inscription(2, 0n)) } }
    await expect(locate(gone, coinsOf(first), idOf(1))).rejects.toMatchObject(PROTECTED)
  })
})

describe('a coin that is to be moved', () => {
  const whole = coin(1, holding(inscription(1, 5n)))

  it('is told with all that sits on it now', async () => {
    const now = holding(inscription(1, 5n), inscription(2, 7n))
    const { context } = open({ recheck: { [outpoint(1)]: now } })
    const [loaded] = await loadMovable(context, coinsOf(whole), [outpoint(1)])
    expect(loaded?.assets).toEqual(now.known && now.assets)
  })

  it('is not moved while it is held for more than what sits on it', async () => {
    const { context } = open()
    for (const held of ['locked', 'reserved', 'unknown', 'small', 'unconfirmed'] as const) {
      const coins = coinsOf({ ...whole, held })
      await expect(loadMovable(context, coins, [outpoint(1)])).rejects.toMatchObject({
        data: { reason: 'COINS_HELD' },
      })
    }
    for (const held of ['inscribed', 'atomical', 'runic', null] as const)
      await expect(
        loadMovable(context, coinsOf({ ...whole, held }), [outpoint(1)]),
      ).resolves.toHaveLength(1)
  })

  it('is not moved where it is not known what sits on it', async () => {
    const { context } = open({ recheck: { [outpoint(1)]: SILENT } })
    await expect(loadMovable(context, coinsOf(whole), [outpoint(1)])).rejects.toMatchObject({
      data: { reason: 'PROTECTED_ASSET', outpoint: outpoint(1), why: 'behind' },
    })
  })

  it('is not moved where the index of Atomicals cannot tell of it, but for one in no block', async () => {
    const silent = { atomicals: { [outpoint(1)]: SILENT } }
    const { context, asked } = open(silent)
    await expect(loadMovable(context, coinsOf(whole), [outpoint(1)])).rejects.toMatchObject({
      data: { reason: 'PROTECTED_ASSET', outpoint: outpoint(1), why: 'behind' },
    })
    expect(asked).toEqual([[outpoint(1)]])
    const fresh = coin(1, whole.assets, { height: null })
    const later = open(silent)
    await expect(loadMovable(later.context, coinsOf(fresh), [outpoint(1)])).resolves.toHaveLength(1)
    expect(later.asked).toEqual([])
  })

  it('by its place is one whose inscriptions all have their sats', async () => {
    const { context } = open()
    const found = await locateCoin(context, coinsOf(whole), outpoint(1))
    expect(found.outpoint).toBe(outpoint(1))
    const unplaced = coin(2, holding(inscription(1, 5n), inscription(2, null), RUNES))
    await expect(locateCoin(context, coinsOf(unplaced), outpoint(2))).rejects.toMatchObject({
      ...PROTECTED,
      message: expect.stringContaining(idOf(2)),
    })
    const runic = coin(3, holding(RUNES), { held: 'runic' })
    await expect(locateCoin(context, coinsOf(runic), outpoint(3))).resolves.toBeDefined()
  })

  it('is known by what was found on it, and the others by what was told before', () => {
    const other = coin(2, SILENT)
    const now = [inscription(9, 1n)]
    const { all } = renewCoins(coinsOf(whole, other), [{ ...whole, assets: now }])
    expect(all.map(({ assets }) => assets)).toEqual([holding(...now), SILENT])
  })
})
