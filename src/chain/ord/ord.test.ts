import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
import {
  coinAt,
  ordAnswers,
  ordInscription,
  ordOutput,
  ordRune,
  ordStatus,
  sayOrd,
} from '../testing/scripted-ord.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createOrd } from './ord.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const ID = `${'ab'.repeat(32)}i0`
const OTHER_ID = `${'cd'.repeat(32)}i12`
const CLEAN: CoinAssets = { known: true, assets: [] }
const unknown = (why: UnknownReason): CoinAssets => ({ known: false, why })

function openOrd(network: 'regtest' | 'mainnet' = 'regtest') {
  const { access, clock } = createTestAccess()
  return { ord: createOrd(network, server.url, { access, now: () => clock.now }), clock, access }
}

/** What is made of one coin of which the index says this. */
async function classify(changes: object | string, coin = coinAt(1)) {
  const entry = typeof changes === 'string' ? changes : { ...ordOutput(coin), ...changes }
  sayOrd(server, { [coin.outpoint]: entry })
  return (await openOrd().ord.fetchAssets([coin])).get(coin.outpoint)
}

describe('the index that is asked what sits on a coin', () => {
  it('makes it clean by saying that nothing is there', async () => {
    expect(await classify({})).toEqual(CLEAN)
    expect(server.asked).toEqual(['GET /status', 'POST /outputs'])
  })

  it('names its inscriptions and runes, of which the largest amounts are exact', async () => {
    const runes = `{"Z•Z•ZZZ":{"amount":${2n ** 128n - 1n},"divisibility":38,"symbol":"🧿"},"A":{"amount":9007199254740993,"divisibility":0,"symbol":null}}`
    const text = JSON.stringify({ ...ordOutput(coinAt(1)), inscriptions: [ID, OTHER_ID] })
    const rune = { kind: 'rune', rune: null, symbol: null, divisibility: 0 }
    expect(await classify(text.replace('"runes":{}', `"runes":${runes}`))).toEqual({
      known: true,
      assets: [
        { kind: 'inscription', id: ID, offset: null },
        { kind: 'inscription', id: OTHER_ID, offset: null },
        { ...rune, name: 'Z•Z•ZZZ', amount: 2n ** 128n - 1n, divisibility: 38, symbol: '🧿' },
        { ...rune, name: 'A', amount: 2n ** 53n + 1n },
      ],
    })
  })

  it.each<[string, UnknownReason, object]>([
    [
      'not in its index, as it is of the mempool',
      'not-indexed',
      { indexed: false, confirmations: 0 },
    ],
    ['spent', 'unanswered', { spent: true }],
    ['of another amount', 'contradicted', { value: 1_001 }],
    ['without a list of inscriptions', 'not-indexed', { inscriptions: null }],
    ['without runes', 'not-indexed', { runes: null }],
    ['without either', 'not-indexed', { runes: undefined, inscriptions: undefined }],
    ['clean in other words', 'unanswered', { inscriptions: {} }],
    ['clean with runes as a list', 'unanswered', { runes: [] }],
    ['indexed as a text', 'unanswered', { indexed: 'true' }],
    ['without a word on being spent', 'unanswered', { spent: null }],
    ['of an amount as a text', 'unanswered', { value: '1000' }],
    ['of more sats than there are', 'unanswered', { value: 2_100_000_000_000_001 }],
    ['of less than nothing', 'unanswered', { value: -1 }],
    ['inscribed by something else', 'unanswered', { inscriptions: ['<img src=x>'] }],
    ['inscribed twice by the same', 'unanswered', { inscriptions: [ID, ID] }],
    ['runic by a number', 'unanswered', { runes: { A: 5 } }],
    ['runic by too much', 'unanswered', { runes: { A: { amount: 1e40, divisibility: 0 } } }],
    ['runic by a fraction', 'unanswered', { runes: { A: { amount: 0.5, divisibility: 0 } } }],
    ['runic by less than nothing', 'unanswered', { runes: { A: { amount: -1, divisibility: 0 } } }],
    ['runic by lower case', 'unanswered', { runes: { a: { amount: 1, divisibility: 0 } } }],
    [
      'runic by another kind of sign',
      'unanswered',
      { runes: { A: { amount: 1, divisibility: 0, symbol: '<b>' } } },
    ],
    [
      'runic by a prototype',
      'unanswered',
      JSON.parse('{"runes":{"__proto__":{"amount":1,"divisibility":0}}}'),
    ],
  ])('leaves one %s unknown: %s', async (_, why, changes) => {
    expect(await classify(changes)).toEqual(unknown(why))
  })

  it.each([
    ['not in its index', { indexed: false }],
    ['spent', { spent: true }],
    ['without runes', { runes: null }],
  ])('that names an inscription is believed, even of a coin that is %s', async (_, changes) => {
    expect(await classify({ inscriptions: [ID], ...changes })).toMatchObject({
      known: true,
      assets: [{ id: ID }],
    })
  })

  it('is not asked of what no block holds, nor of a block that it has not got to', async () => {
    const [young, late, last] = [
      coinAt(1, { height: null }),
      coinAt(2, { height: 101 }),
      coinAt(3, { height: 100 }),
    ]
    const coins = [young, late, last]
    sayOrd(server, Object.fromEntries(coins.map(coin => [coin.outpoint, ordOutput(coin)])))
    const { ord } = openOrd()
    expect(await ord.fetchAssets([young])).toEqual(
      new Map([[young.outpoint, unknown('unconfirmed')]]),
    )
    expect(server.asked).toEqual([])
    expect([...(await ord.fetchAssets(coins)).values()]).toEqual([
      unknown('unconfirmed'),
      unknown('behind'),
      CLEAN,
    ])
  })

  it('tells its height once in five seconds, unless a coin is above it', async () => {
    const { ord, clock } = openOrd()
    const [old, young] = [coinAt(1), coinAt(2, { height: 101 })]
    sayOrd(server, { [old.outpoint]: ordOutput(old), [young.outpoint]: ordOutput(young) })
    await ord.fetchAssets([old])
    await ord.fetchAssets([old])
    const asked = () => server.asked.filter(path => path === 'GET /status').length
    expect(asked()).toBe(1)
    server.say({ '/status': asJson(ordStatus({ height: 101 })) })
    expect((await ord.fetchAssets([young])).get(young.outpoint)).toEqual(CLEAN)
    expect(asked()).toBe(2)
    clock.now += 5_000
    await ord.fetchAssets([old])
    expect(asked()).toBe(3)
  })

  it.each([
    ['inscription_index', 'inscriptions'],
    ['rune_index', 'runes'],
  ])('without %s knows of no coin, and is no index to choose', async (field, words) => {
    const coin = coinAt(1)
    sayOrd(server, { [coin.outpoint]: ordOutput(coin) }, ordStatus({ [field]: false }))
    const { ord } = openOrd()
    expect([...(await ord.fetchAssets([coin])).values()]).toEqual([unknown('not-indexed')])
    expect(await problemOf(ord.fetchTip())).toMatchObject({ detail: `keeps no ${words}` })
  })
})

describe('an index', () => {
  it('tells the newest block that it has indexed', async () => {
    sayOrd(server, {})
    expect(await openOrd().ord.fetchTip()).toEqual({ height: 100 })
  })

  it.each<[string, object]>([
    ['wrong-network', { chain: 'mainnet' }],
    ['wrong-network', { chain: 'testnet' }],
    ['nonsense', { chain: 7 }],
    ['nonsense', { height: null }],
    ['nonsense', { height: -1 }],
    ['nonsense', { height: 1e12 }],
    ['nonsense', { rune_index: 'yes' }],
    ['nonsense', { unrecoverably_reorged: true }],
  ])('is asked nothing more when its status is %s: %j', async (kind, changes) => {
    sayOrd(server, {}, ordStatus(changes))
    const { ord } = openOrd()
    const questions = [
      () => ord.fetchTip(),
      () => ord.fetchAssets([coinAt(1)]),
      () => ord.fetchInscriptions([ID]),
      () => ord.fetchContent(ID, 100),
      () => ord.fetchRune('A'),
    ]
    for (const ask of questions) expect(await problemOf(ask())).toMatchObject({ kind })
    expect(new Set(server.asked)).toEqual(new Set(['GET /status']))
  })

  it.each([
    ['a page', '<!doctype html><title>ord</title>'],
    ['half an answer', '{"chain":"regtest","hei'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
  ])('that sends %s for its status is no index', async (_, body) => {
    server.say({ '/status': { body } })
    expect(await problemOf(openOrd().ord.fetchTip())).toMatchObject({ kind: 'nonsense' })
  })
})

describe('inscriptions', () => {
  const say = (entries: { [id: string]: object }) => {
    sayOrd(server, {})
    server.say({
      '/inscriptions': ordAnswers(sent => {
        const found = (JSON.parse(sent) as string[]).map(id => entries[id])
        return found.includes(undefined) ? { status: 404, body: '' } : asJson(found)
      }),
    })
  }

  it('are told with their number, place and time, those that are known', async () => {
    say({ [ID]: ordInscription(ID, { number: -3, satpoint: `${'ef'.repeat(32)}:2:12345` }) })
    expect(await openOrd().ord.fetchInscriptions([ID, OTHER_ID])).toEqual(
      new Map([
        [
          ID,
          {
            id: ID,
            number: -3,
            address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
            value: 546n,
            contentType: 'text/plain;charset=utf-8',
            contentLength: 5,
            satpoint: { outpoint: `${'ef'.repeat(32)}:2`, offset: 12345n },
            height: 90,
            at: 1_700_000_000_000,
            parents: [],
            charms: ['vindicated'],
            metaprotocol: null,
          },
        ],
      ]),
    )
  })

  it.each<[string, object]>([
    ['no place', { satpoint: null }],
    ['half a place', { satpoint: `${'ef'.repeat(32)}:2` }],
    ['a place before the first sat', { satpoint: `${'ef'.repeat(32)}:2:-1` }],
    ['a number as a text', { number: '7' }],
    ['a number too large', { number: 2 ** 31 }],
    ['a type as a list', { content_type: ['text/html'] }],
    ['parents that are none', { parents: ['x'] }],
    ['no time', { timestamp: 'now' }],
  ])('with %s are left out', async (_, changes) => {
    say({ [ID]: ordInscription(ID, changes), [OTHER_ID]: ordInscription(OTHER_ID) })
    expect([...(await openOrd().ord.fetchInscriptions([ID, OTHER_ID])).keys()]).toEqual([OTHER_ID])
  })

  it('that are not those that were asked for are nonsense', async () => {
    say({ [ID]: ordInscription(OTHER_ID) })
    expect(await problemOf(openOrd().ord.fetchInscriptions([ID]))).toMatchObject({
      kind: 'nonsense',
    })
  })
})

describe('content', () => {
  const path = `/content/${ID}`

  it('comes as its bytes, unpacked, with its type', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    sayOrd(server, {})
    server.say({
      [path]: {
        body: gzipSync(bytes),
        headers: { 'content-type': 'image/png', 'content-encoding': 'gzip' },
      },
    })
    expect(await openOrd().ord.fetchContent(ID, 256)).toEqual({ contentType: 'image/png', bytes })
    expect(await openOrd().ord.fetchContent(ID, 255)).toBeNull()
  })

  it('that unpacks to more than is wanted is not read on', async () => {
    sayOrd(server, {})
    const bomb = gzipSync(new Uint8Array(50_000_000))
    server.say({ [path]: { body: bomb, headers: { 'content-encoding': 'gzip' } } })
    expect(await openOrd().ord.fetchContent(ID, 100_000)).toBeNull()
  })

  it('that is not there is none', async () => {
    sayOrd(server, {})
    expect(await openOrd().ord.fetchContent(ID, 100)).toBeNull()
  })

  it('is a problem while the server is away, and the server rests then', async () => {
    sayOrd(server, {})
    server.say({ [path]: { status: 503, body: '' } })
    const { ord } = openOrd()
    expect(await problemOf(ord.fetchContent(ID, 100))).toMatchObject({ retryInMs: 1000 })
    const asked = server.asked.length
    expect(await problemOf(ord.fetchTip())).toMatchObject({ kind: 'unreachable' })
    expect(server.asked).toHaveLength(asked)
  })
})

describe('a rune', () => {
  const path = `/rune/${encodeURIComponent('MEME•COIN')}`
  const answer = (changes: Parameters<typeof ordRune>[0]) =>
    asJson(ordRune({ ...changes, entry: { spaced_rune: 'MEME•COIN', ...changes.entry } }))
  const fetchRune = () => openOrd().ord.fetchRune('MEME•COIN')

  it('is found by its name, whatever its spacers, with all that the index tells of it', async () => {
    sayOrd(server, {})
    expect(await fetchRune()).toBeNull()
    server.say({ [path]: answer({ id: '840000:1', entry: { spaced_rune: 'MEM•ECOIN' } }) })
    expect(await fetchRune()).toEqual({
      id: '840000:1',
      name: 'MEM•ECOIN',
      number: 7,
      divisibility: 2,
      symbol: '¢',
      premine: 1_000n,
      mints: 3n,
      burned: 0n,
      terms: {
        amount: 100n,
        cap: 1_000n,
        height: { start: 840_100n, end: null },
        offset: { start: null, end: 500n },
      },
      turbo: false,
      etching: 'ab'.repeat(32),
      height: 840_000,
      at: 1_713_571_767_000,
      isMintable: true,
    })
    server.say({ [path]: answer({ entry: { symbol: null, terms: null } }) })
    expect(await fetchRune()).toMatchObject({ symbol: null, terms: null })
  })

  it('is found by its id, and not where the server tells of another id', async () => {
    sayOrd(server, {})
    const say = (id: string) =>
      server.say({
        [`/rune/${encodeURIComponent('840000:1')}`]: asJson(
          ordRune({ id, entry: { spaced_rune: 'MEM•ECOIN' } }),
        ),
      })
    say('840000:1')
    expect(await openOrd().ord.fetchRune('840000:1')).toMatchObject({ name: 'MEM•ECOIN' })
    say('840000:2')
    expect(await problemOf(openOrd().ord.fetchRune('840000:1'))).toMatchObject({
      kind: 'nonsense',
    })
  })

  it('has amounts of up to 128 bits, to the last digit', async () => {
    sayOrd(server, {})
    const most = 2n ** 128n - 1n
    const body = JSON.stringify(ordRune({ entry: { spaced_rune: 'MEME•COIN', premine: 0 } }))
    server.say({ [path]: { body: body.replace('"premine":0', `"premine":${most}`) } })
    expect(await fetchRune()).toMatchObject({ premine: most })
    server.say({ [path]: { body: body.replace('"premine":0', `"premine":${most + 1n}`) } })
    expect(await problemOf(fetchRune())).toMatchObject({ kind: 'nonsense' })
  })

  it.each([
    ['another name', { entry: { spaced_rune: 'MEME•COIM' } }],
    ['a name that is none', { entry: { spaced_rune: 'meme•coin' } }],
    ['an id that is a number', { id: 840000 }],
    ['an id of a transaction that no block can hold', { id: '840000:4294967296' }],
    ['half an id', { id: '840000' }],
    ['a divisibility beyond 38', { entry: { divisibility: 39 } }],
    ['a symbol of two characters', { entry: { symbol: 'ab' } }],
    ['a negative amount', { entry: { burned: -1 } }],
    ['an etching that is no transaction', { entry: { etching: 'ab' } }],
    [
      'terms with one height',
      { entry: { terms: { amount: 1, cap: 1, height: [1], offset: [null, null] } } },
    ],
    ['terms that are a list', { entry: { terms: [] } }],
    ['no word on whether it can be minted', { mintable: null }],
    ['no entry', {}],
  ])('with %s is nonsense', async (what, changes) => {
    sayOrd(server, {})
    const body = what === 'no entry' ? asJson({ id: '1:1', mintable: true }) : answer(changes)
    server.say({ [path]: body })
    expect(await problemOf(fetchRune())).toMatchObject({ kind: 'nonsense' })
  })
})
