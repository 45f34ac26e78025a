import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { inHurry } from '../testing/fast-timers.ts'
import { RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { fund } from '../testing/test-wallet.ts'
import { scriptOf } from './coins.ts'
import {
  assertNothingNew,
  hasNews,
  loadSpentAssets,
  type OwnCoin,
  type SpentCoin,
} from './spent-assets.ts'

const CLEAN = { known: true, assets: [] } as const
const MINUTE = 60_000

/** A wallet with these coins, and one of somebody else. */
async function start(...sats: bigint[]) {
  const { world, worker, account, txids } = await startFunded(...sats)
  const context = { wallet: worker.wallet, network: 'regtest', account } as const
  const own = txids.map(
    (txid, at): SpentCoin => ({
      outpoint: `${txid}:0`,
      amount: sats[at] ?? 0n,
      scriptPubKey: scriptOf(account, 'regtest'),
      accountId: account.id,
    }),
  )
  const other: SpentCoin = {
    outpoint: `${fund(world, RECIPIENT, 700n)}:0`,
    amount: 700n,
    scriptPubKey: parseAddress(RECIPIENT, 'regtest').scriptPubKey,
    accountId: null,
  }
  return { world, context, own, other }
}

describe('what sits on coins that are about to be spent', () => {
  it('is told of own ones and of others, with sats, numbers and ids of runes', async () => {
    const { world, context, own, other } = await start(9_000n, 8_000n)
    const [first, second] = own
    if (!first || !second) throw new Error('Two coins')
    const id = world.assets.inscribe(first.outpoint, { offset: 5n, number: 7 })
    const rune = world.assets.etch(other.outpoint)
    const theirs = world.assets.inscribe(other.outpoint, { offset: 3n, number: 8 })
    const found = await loadSpentAssets(context, [other, first, second])
    expect(found.held.get(first.outpoint)).toEqual({
      known: true,
      assets: [{ kind: 'inscription', id, offset: 5n }],
    })
    expect(found.held.get(second.outpoint)).toEqual(CLEAN)
    const told = found.held.get(other.outpoint)
    expect(told?.known && told.assets).toEqual(
      expect.arrayContaining([rune, { kind: 'inscription', id: theirs, offset: 3n }]),
    )
    expect(found.numbers.get(theirs)).toBe(8)
    expect(
      found.own.map(({ outpoint, sats, assets, height, doubted }) => {
        return { outpoint, sats, assets, height, doubted }
      }),
    ).toEqual([
      { outpoint: first.outpoint, sats: '9000', assets: [id], height: 100, doubted: false },
      { outpoint: second.outpoint, sats: '8000', assets: [], height: 100, doubted: false },
    ])
  })

  it('is unanswered, not unconfirmed, where no server tells the block of a coin', async () => {
    const { world, context, own } = await start(9_000n)
    world.chain.chain.fetchTransactionHeight = async () => {
      throw new BackendUnavailableError({
        ...{ kind: 'unreachable', host: 'chain.test', detail: 'down', retryInMs: null },
      })
    }
    const { held, own: coins } = await loadSpentAssets(context, own)
    expect(held.get(own[0]?.outpoint ?? '')).toMatchObject({ known: false, why: 'unanswered' })
    expect(coins).toMatchObject([{ height: null, assets: null }])
  })

  it('is unconfirmed where the server knows that no block has it', async () => {
    const { world, context, own } = await start(9_000n)
    world.chain.chain.fetchTransactionHeight = async () => null
    const { held } = await loadSpentAssets(context, own)
    expect(held.get(own[0]?.outpoint ?? '')).toMatchObject({ known: false, why: 'unconfirmed' })
  })

  it('of many coins of one address is asked with one list instead of one question for each', async () => {
    const { world, context, own } = await start(...Array.from({ length: 9 }, () => 9_000n))
    let asked = 0
    world.chain.chain.fetchTransactionHeight = async () => {
      asked++
      return 100
    }
    const { own: coins } = await loadSpentAssets(context, own)
    expect(asked).toBe(0)
    expect(coins.map(({ height }) => height)).toEqual(own.map(() => 100))
    await loadSpentAssets(context, own.slice(1))
    expect(asked).toBe(8)
  })

  it('does not keep the person waiting for an index that never answers', async () => {
    const { world, context, own } = await start(9_000n)
    world.assets.source.fetchAssets = () => new Promise(() => {})
    const { held } = await inHurry(() => loadSpentAssets(context, own))
    expect(held.get(own[0]?.outpoint ?? '')).toMatchObject({ known: false, why: 'unanswered' })
  })
})

describe('right before coins are spent', () => {
  async function startShown(...sats: bigint[]) {
    const started = await start(...sats)
    const { own } = await loadSpentAssets(started.context, started.own)
    started.world.clock.now += 5 * MINUTE
    return { ...started, shown: own }
  }
  const outdated = { data: { reason: 'PLAN_OUTDATED' } }

  it('what turns up on any of them stops it, and what was shown does not', async () => {
    const { world, context, shown } = await startShown(9_000n, 8_000n)
    expect(await hasNews(context, shown)).toBe(false)
    await assertNothingNew(context, shown)
    const id = world.assets.inscribe(shown[1]?.outpoint ?? '')
    expect(await hasNews(context, shown)).toBe(true)
    await expect(assertNothingNew(context, shown)).rejects.toMatchObject(outdated)
    const known = shown.map((coin, at): OwnCoin => (at === 1 ? { ...coin, assets: [id] } : coin))
    expect(await hasNews(context, known)).toBe(false)
  })

  it('more units of the same rune are news', async () => {
    const { world, context, own } = await start(9_000n)
    const [coin] = own
    world.assets.etch(coin?.outpoint ?? '', { amount: 5n })
    const { own: shown } = await loadSpentAssets(context, own)
    expect(await hasNews(context, shown)).toBe(false)
    const fewer = shown.map(one => ({
      ...one,
      assets: one.assets?.map(name => name.replace(/ 5$/, ' 4')) ?? null,
    }))
    expect(fewer).not.toEqual(shown)
    expect(await hasNews(context, fewer)).toBe(true)
  })

  it('a doubt about what was clean is news, once', async () => {
    const { world, context, own } = await start(9_000n)
    const outpoint = own[0]?.outpoint ?? ''
    const id = world.assets.inscribe(outpoint)
    const { own: inscribed } = await loadSpentAssets(context, own)
    world.assets.lie(outpoint, CLEAN)
    world.clock.now += 5 * MINUTE
    const clean = inscribed.map(coin => ({ ...coin, assets: [] }))
    expect(inscribed).toMatchObject([{ assets: [id] }])
    expect(await hasNews(context, clean)).toBe(true)
    expect(
      await hasNews(
        context,
        clean.map(coin => ({ ...coin, assets: null })),
      ),
    ).toBe(true)
    expect(await hasNews(context, inscribed)).toBe(false)
    expect(
      await hasNews(
        context,
        clean.map(coin => ({ ...coin, doubted: true })),
      ),
    ).toBe(false)
    const { own: doubted } = await loadSpentAssets(context, own)
    expect(doubted).toMatchObject([{ doubted: true, assets: null }])
  })

  it('the silence of an index stops nothing', async () => {
    const { world, context, shown } = await startShown(9_000n)
    world.assets.faults.unreachable = true
    await assertNothingNew(context, shown)
    delete world.assets.faults.unreachable
    world.assets.source.fetchAssets = () => new Promise(() => {})
    await inHurry(() => assertNothingNew(context, shown))
  })
})
