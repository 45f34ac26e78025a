import { describe, expect, it } from 'vitest'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { Asset, CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
import { idOf, inscription, RUNES } from '../../ordinals/testing/test-assets.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import type { SentRecord } from '../activity/activity.ts'
import { encodeAsset } from '../activity/stored-assets.ts'
import { createCoinAssetStore, loadTraces, reconcileCoinAssets } from './coin-assets.ts'

const CLEAN: CoinAssets = { known: true, assets: [] }
const DOUBTED: CoinAssets = { known: false, why: 'contradicted' }
const silent = (why: UnknownReason = 'unanswered'): CoinAssets => ({ known: false, why })
const holding = (...assets: Asset[]): CoinAssets => ({ known: true, assets })
const AWAY = { kind: 'unreachable', host: 'index.test', detail: '', retryInMs: 0 } as const

const ONE = inscription(1, null)
const TWO = inscription(2, null)

describe('what counts as being on a coin', () => {
  const judge = (told: CoinAssets, traced: Asset[] | null, seen: Asset[] | null) =>
    reconcileCoinAssets({ told, traced, seen })

  it('is the word of the index where nothing else is known', () => {
    for (const told of [CLEAN, holding(ONE), silent('behind'), DOUBTED])
      expect(judge(told, null, null)).toEqual(told)
  })

  it('is doubted where the index calls a coin clean on which something was seen or put', () => {
    expect(judge(CLEAN, [ONE], null)).toEqual(DOUBTED)
    expect(judge(CLEAN, null, [ONE])).toEqual(DOUBTED)
    // Its own transaction shows that there may be something.
    expect(judge(CLEAN, null, [])).toEqual(DOUBTED)
    expect(judge(CLEAN, [], null)).toEqual(CLEAN)
  })

  it('is everything that anybody names', () => {
    expect(judge(holding(TWO), [ONE], null)).toEqual(holding(ONE, TWO))
    expect(judge(holding(TWO), null, [ONE])).toEqual(holding(ONE, TWO))
    expect(judge(holding(ONE), [ONE], [ONE])).toEqual(holding(ONE))
  })

  it('is what was put or seen there where the index says nothing', () => {
    expect(judge(silent(), [ONE], null)).toEqual(holding(ONE))
    expect(judge(silent(), null, [ONE])).toEqual(holding(ONE))
    expect(judge(silent(), [], null)).toEqual(CLEAN)
    expect(judge(silent(), null, [])).toEqual(DOUBTED)
    expect(judge(silent(), [], [])).toEqual(DOUBTED)
  })

  it('stays doubted where servers contradict each other, whatever was put there', () => {
    expect(judge(DOUBTED, [ONE], [ONE])).toEqual(DOUBTED)
    expect(judge(DOUBTED, [], null)).toEqual(DOUBTED)
  })
})

describe('what this wallet put on coins', () => {
  const traces = async (...records: Partial<SentRecord>[]) =>
    Object.fromEntries(
      await loadTraces(
        { activity: { listOpen: async () => records as SentRecord[] } },
        'signet',
        'a',
      ),
    )

  it('is nothing on all coins of a payment that carries nothing', async () => {
    expect(await traces({ spends: ['s:0'], creates: ['c:0', 'c:1'], carries: {} })).toEqual({
      ...{ 's:0': [], 'c:0': [], 'c:1': [] },
    })
  })

  it('is what a transfer carries, and nothing on its other new coins', async () => {
    const carries = { 'c:1': [encodeAsset(ONE)], 'x:0': [encodeAsset(RUNES)] }
    expect(await traces({ spends: ['s:0'], creates: ['c:0', 'c:1'], carries })).toEqual({
      ...{ 'c:0': [], 'c:1': [ONE], 'x:0': [RUNES] },
    })
  })

  it('is not known of transactions that do not say', async () => {
    expect(await traces({ spends: ['s:0'], creates: ['c:0'] })).toEqual({})
  })
})

describe('the index of inscriptions', () => {
  const coin = (outpoint: string, assets: CoinAssets, amount = 1_000n) => ({
    ...{ outpoint, assets, amount },
  })

  /** One that places inscriptions: outpoint and sat by their number. */
  function open(places: { [n: number]: [string, bigint] }) {
    const asked: string[][] = []
    const state = { error: null as Error | null }
    const source = {
      async fetchInscriptions(ids: string[]) {
        asked.push(ids)
        if (state.error) throw state.error
        return new Map(
          Object.entries(places)
            .filter(([n]) => ids.includes(idOf(Number(n))))
            .map(([n, [outpoint, offset]]) => [
              idOf(Number(n)),
              { number: 100 + Number(n), satpoint: { outpoint, offset } },
            ]),
        )
      },
    }
    const store = createCoinAssetStore({
      ...{ local: createMemoryArea(), session: createMemoryArea(), now: () => 0 },
    })
    const wallet = { assets: async () => source } as unknown as Parameters<typeof store.complete>[0]
    const complete = async (...coins: ReturnType<typeof coin>[]) =>
      store.complete(wallet, 'signet', coins)
    const numbersOf = async (...ns: number[]) =>
      Object.fromEntries(await store.numbersOf(wallet, 'signet', ns.map(idOf)))
    return { asked, state, complete, numbersOf }
  }

  it('tells the sat where it is on this coin, and is believed nowhere else', async () => {
    const { complete } = open({ 1: ['a:0', 999n], 2: ['b:0', 5n], 3: ['a:0', 1_000n] })
    const { assets, numbers } = await complete(
      coin('a:0', holding(ONE, TWO, inscription(3, null), inscription(4, null), RUNES)),
      coin('c:0', silent('behind')),
    )
    expect(assets.get('a:0')).toEqual(
      holding(inscription(1, 999n), TWO, inscription(3, null), inscription(4, null), RUNES),
    )
    expect(assets.get('c:0')).toEqual(silent('behind'))
    expect([numbers.get(idOf(1)), numbers.get(idOf(4))]).toEqual([101, undefined])
  })

  it('changes nothing of a sat that is known', async () => {
    const { complete } = open({ 1: ['a:0', 7n] })
    const { assets } = await complete(coin('a:0', holding(inscription(1, 3n))))
    expect(assets.get('a:0')).toEqual(holding(inscription(1, 3n)))
  })

  it('is asked for 2,000 places and 200 numbers at most, and for no number twice', async () => {
    const { asked, complete, numbersOf } = open({ 1: ['a:0', 7n] })
    const many = Array.from({ length: 2_001 }, (_, n) => inscription(n + 1, null))
    await complete(coin('a:0', holding(...many)))
    expect(asked.map(({ length }) => length)).toEqual([2_000])
    expect(await numbersOf(1)).toEqual({ [idOf(1)]: 101 })
    expect(asked).toHaveLength(1)
    await numbersOf(...Array.from({ length: 300 }, (_, n) => n + 1))
    expect(asked[1]).toHaveLength(200)
    expect(asked[1]).not.toContain(idOf(1))
  })

  it('is not asked where there is nothing to ask for', async () => {
    const { asked, complete, numbersOf } = open({})
    await complete(coin('a:0', holding(RUNES)), coin('b:0', silent()))
    expect([await numbersOf(), asked]).toEqual([{}, []])
  })

  it('that is away leaves everything as it was; a fault of ours does not', async () => {
    const { state, complete } = open({ 1: ['a:0', 7n] })
    state.error = new BackendUnavailableError(AWAY)
    const { assets } = await complete(coin('a:0', holding(ONE)))
    expect(assets.get('a:0')).toEqual(holding(ONE))
    state.error = new TypeError('broken')
    await expect(complete(coin('a:0', holding(ONE)))).rejects.toThrow('broken')
  })
})
