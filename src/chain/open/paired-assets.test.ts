import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
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

let first: ScriptedServer
let second: ScriptedServer

beforeAll(async () => {
  first = await startScriptedServer()
  second = await startScriptedServer()
})
afterAll(() => Promise.all([first.close(), second.close()]))
beforeEach(() => {
  first.reset()
  second.reset()
})

const ID = `${'ab'.repeat(32)}i0`
const OTHER_ID = `${'cd'.repeat(32)}i0`
const COIN = coinAt(1)
const CLEAN: CoinAssets = { known: true, assets: [] }
const unknown = (why: UnknownReason): CoinAssets => ({ known: false, why })
const inscribed = (...ids: string[]): CoinAssets => ({
  known: true,
  assets: ids.map(id => ({ kind: 'inscription', id, offset: null })),
})

function openBoth() {
  const { access, clock } = createTestAccess()
  const urls = { assets: first.url, secondAssets: second.url }
  return openAssets('regtest', urls, { access, now: () => clock.now })
}

const says = (server: ScriptedServer, changes: object, status = {}) =>
  sayOrd(server, { [COIN.outpoint]: { ...ordOutput(COIN), ...changes } }, ordStatus(status))

const classify = async () => (await openBoth().fetchAssets([COIN])).get(COIN.outpoint)

describe('two indexes', () => {
  it.each<[string, object, object, CoinAssets]>([
    ['clean for both is clean', {}, {}, CLEAN],
    [
      'inscribed for both is inscribed',
      { inscriptions: [ID] },
      { inscriptions: [ID] },
      inscribed(ID),
    ],
    [
      'inscribed differently has all',
      { inscriptions: [ID] },
      { inscriptions: [OTHER_ID] },
      inscribed(ID, OTHER_ID),
    ],
    [
      'clean for the second alone is contradicted',
      { inscriptions: [ID] },
      {},
      unknown('contradicted'),
    ],
    [
      'clean for the first alone is contradicted',
      {},
      { inscriptions: [ID] },
      unknown('contradicted'),
    ],
    ['not known to the second is not known', {}, { indexed: false }, unknown('not-indexed')],
    ['not known to the first is not known', { spent: true }, {}, unknown('unanswered')],
    [
      'inscribed for one and unknown to the other is inscribed',
      { indexed: false },
      { inscriptions: [ID] },
      inscribed(ID),
    ],
    [
      'of another amount for one is contradicted',
      { inscriptions: [ID] },
      { value: 1 },
      unknown('contradicted'),
    ],
  ])('a coin that is %s', async (_, told, other, expected) => {
    says(first, told)
    says(second, other)
    expect(await classify()).toEqual(expected)
  })

  it('that give a rune two amounts leave the larger one', async () => {
    const pile = (amount: number) => ({ runes: { A: { amount, divisibility: 0, symbol: null } } })
    says(first, pile(5))
    says(second, pile(7))
    expect(await classify()).toMatchObject({ known: true, assets: [{ name: 'A', amount: 7n }] })
  })

  it('of which one is away or behind find nothing clean, and believe what the other names', async () => {
    says(first, {})
    expect(await classify()).toEqual(unknown('unanswered'))
    says(first, { inscriptions: [ID] })
    expect(await classify()).toEqual(inscribed(ID))
    says(first, {})
    says(second, {}, { height: 89 })
    expect(await classify()).toEqual(unknown('behind'))
    says(second, {}, { chain: 'mainnet' })
    expect(await classify()).toEqual(unknown('unanswered'))
  })

  it('that are both away are a problem of the first', async () => {
    expect(await problemOf(classify())).toMatchObject({ host: first.host })
  })

  it('are as far as the one that is behind', async () => {
    says(first, {}, { height: 100 })
    says(second, {}, { height: 98 })
    expect(await openBoth().fetchTip()).toEqual({ height: 98 })
    second.reset()
    expect(await problemOf(openBoth().fetchTip())).toMatchObject({ host: second.host })
  })

  it('place an inscription where both do, and leave it out where they differ', async () => {
    for (const server of [first, second]) says(server, {})
    const list = (...entries: object[]) => ({ '/inscriptions': asJson(entries) })
    first.say(list(ordInscription(ID), ordInscription(OTHER_ID)))
    second.say(
      list(
        ordInscription(ID),
        ordInscription(OTHER_ID, { satpoint: `${OTHER_ID.slice(0, 64)}:0:1` }),
      ),
    )
    const fetchIds = async () => [...(await openBoth().fetchInscriptions([ID, OTHER_ID])).keys()]
    expect(await fetchIds()).toEqual([ID])
    second.say({ '/inscriptions': { status: 500, body: '' } })
    expect(await fetchIds()).toEqual([ID, OTHER_ID])
  })

  it('tell nothing of a rune to which they give different ids', async () => {
    for (const server of [first, second]) says(server, {})
    first.say({ '/rune/A': asJson(ordRune({ id: '1:1' })) })
    second.say({ '/rune/A': asJson(ordRune({ id: '1:2' })) })
    expect(await openBoth().fetchRune('A')).toBeNull()
    second.say({ '/rune/A': asJson(ordRune({ id: '1:1' })) })
    expect(await openBoth().fetchRune('A')).toMatchObject({ id: '1:1' })
    const of = (name: string) => asJson(ordRune({ id: '1:1', entry: { spaced_rune: name } }))
    first.say({ '/rune/1%3A1': of('A') })
    second.say({ '/rune/1%3A1': of('B') })
    expect(await openBoth().fetchRune('1:1')).toBeNull()
  })

  it('serve content and runes that one of them has', async () => {
    for (const server of [first, second]) says(server, {})
    second.say({
      [`/content/${ID}`]: { body: 'Hello' },
      '/rune/A': asJson(ordRune({})),
    })
    const assets = openBoth()
    expect((await assets.fetchContent(ID, 5))?.bytes).toHaveLength(5)
    expect(await assets.fetchRune('A')).toMatchObject({ id: '1:1' })
    first.say({ [`/content/${ID}`]: { status: 502, body: '' } })
    expect((await assets.fetchContent(ID, 5))?.bytes).toHaveLength(5)
    second.say({ '/rune/A': { status: 502, body: '' } })
    first.say({ '/rune/A': { status: 502, body: '' } })
    expect(await problemOf(openBoth().fetchRune('A'))).toMatchObject({ host: first.host })
  })
})
