import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
import {
  atomicalFacts,
  atomicalsGlobal,
  GLOBAL,
  pathOfList,
  refuse,
  sayListed,
  tell,
} from '../testing/scripted-atomicals.ts'
import {
  coinAt,
  ordInscription,
  ordOutput,
  ordRune,
  ordStatus,
  sayOrd,
} from '../testing/scripted-ord.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { openAssets } from './open-assets.ts'

let ord: ScriptedServer
let electrumx: ScriptedServer

beforeAll(async () => {
  ord = await startScriptedServer()
  electrumx = await startScriptedServer()
})
afterAll(() => Promise.all([ord.close(), electrumx.close()]))
beforeEach(() => {
  ord.reset()
  electrumx.reset()
})

const ID = `${'ab'.repeat(32)}i0`
const COIN = coinAt(1)
const CLEAN: CoinAssets = { known: true, assets: [] }
const INSCRIPTION = { kind: 'inscription', id: ID, offset: null } as const
// The same text as the id of an inscription, and another thing.
const NFT = { kind: 'atomical', id: ID, type: 'nft', number: 7, name: null, amount: 1n } as const
const unknown = (why: UnknownReason): CoinAssets => ({ known: false, why })
const named = (...assets: Extract<CoinAssets, { known: true }>['assets']): CoinAssets => ({
  known: true,
  assets,
})

function openBoth(atomicals = electrumx.url) {
  const { access, clock } = createTestAccess()
  const urls = { assets: ord.url, secondAssets: '', atomicals }
  return openAssets('regtest', urls, { access, now: () => clock.now })
}

const sayInscribed = (changes: object, status = {}) =>
  sayOrd(ord, { [COIN.outpoint]: { ...ordOutput(COIN), ...changes } }, ordStatus(status))

const sayAtomical = (listed: object, global = {}) =>
  sayListed(electrumx, [{ ...COIN, listed }], [atomicalFacts(ID)], atomicalsGlobal(global))

const classify = async () => (await openBoth().fetchAssets([COIN])).get(COIN.outpoint)

const HELD = { atomicals: { [ID]: 1000 } }
const INSCRIBED = { inscriptions: [ID] }

describe('an index of inscriptions with one of Atomicals', () => {
  it.each<[string, object, object, CoinAssets]>([
    ['clean for both is clean', {}, {}, CLEAN],
    ['inscribed alone is inscribed', INSCRIBED, {}, named(INSCRIPTION)],
    ['held by an Atomical alone is that', {}, HELD, named(NFT)],
    ['held by both, under one id, is both', INSCRIBED, HELD, named(INSCRIPTION, NFT)],
    ['unknown to the first is unknown', { indexed: false }, {}, unknown('not-indexed')],
    ['unknown to the second is unknown', {}, { atomicals: null }, unknown('unanswered')],
    [
      'inscribed, and unknown to the second, is inscribed',
      INSCRIBED,
      { atomicals: null },
      named(INSCRIPTION),
    ],
    [
      'held by an Atomical, and unknown to the first, is that',
      { indexed: false },
      HELD,
      named(NFT),
    ],
    [
      'inscribed, and of another amount for the second, is contradicted',
      INSCRIBED,
      { value: 1 },
      unknown('contradicted'),
    ],
    [
      'of another amount for the first, and held by an Atomical, is contradicted',
      { value: 1 },
      HELD,
      unknown('contradicted'),
    ],
  ])('finds that a coin %s', async (_, inscribed, listed, expected) => {
    sayInscribed(inscribed)
    sayAtomical(listed)
    expect(await classify()).toEqual(expected)
  })

  it('of which one is away, behind or of another chain finds nothing clean', async () => {
    sayInscribed({})
    expect(await classify()).toEqual(unknown('unanswered'))
    for (const [global, why] of [
      [{ height: 89 }, 'behind'],
      [{ network: 'mainnet' }, 'unanswered'],
    ] as const) {
      sayAtomical({}, global)
      expect(await classify()).toEqual(unknown(why))
    }
    sayAtomical(HELD)
    sayInscribed({}, { chain: 'mainnet' })
    expect(await classify()).toEqual(named(NFT))
    sayAtomical({})
    expect(await classify()).toEqual(unknown('unanswered'))
    electrumx.say({ [pathOfList(COIN.scriptPubKey)]: refuse('database is locked') })
    expect(await problemOf(classify())).toMatchObject({ host: ord.host })
  })

  it('is as far as the one that is behind, and not known to be anywhere without one', async () => {
    sayInscribed({}, { height: 100 })
    sayAtomical({}, { height: 98 })
    expect(await openBoth().fetchTip()).toEqual({ height: 98 })
    sayAtomical({}, { height: 101 })
    expect(await openBoth().fetchTip()).toEqual({ height: 100 })
    electrumx.say({ [GLOBAL]: tell({}) })
    expect(await problemOf(openBoth().fetchTip())).toMatchObject({ host: electrumx.host })
  })

  it('asks the first alone of inscriptions, content and runes', async () => {
    sayInscribed({})
    ord.say({
      '/inscriptions': asJson([ordInscription(ID)]),
      [`/content/${ID}`]: { body: 'hello' },
      '/rune/A': asJson(ordRune({})),
    })
    const assets = openBoth()
    expect([...(await assets.fetchInscriptions([ID])).keys()]).toEqual([ID])
    expect((await assets.fetchContent(ID, 5))?.bytes).toHaveLength(5)
    expect(await assets.fetchRune('A')).toMatchObject({ id: '1:1' })
    expect(electrumx.asked).toEqual([])
  })

  it('without one of Atomicals is the first alone', async () => {
    sayInscribed({})
    sayAtomical(HELD)
    expect((await openBoth('').fetchAssets([COIN])).get(COIN.outpoint)).toEqual(CLEAN)
    expect(electrumx.asked).toEqual([])
  })
})
