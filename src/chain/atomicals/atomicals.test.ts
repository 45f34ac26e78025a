import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UnknownReason } from '../../ordinals/asset.ts'
import type { ServerAccess } from '../access/server-access.ts'
import {
  atomicalFacts,
  atomicalsGlobal,
  GLOBAL,
  listedCoin,
  pathOfFacts,
  pathOfList,
  pathOfShortList,
  refuse,
  sayListed,
  tell,
} from '../testing/scripted-atomicals.ts'
import { coinAt } from '../testing/scripted-ord.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createAtomicals } from './atomicals.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const ID = `${'ab'.repeat(32)}i0`
const OTHER_ID = `${'cd'.repeat(32)}i3`
const COIN = coinAt(1)
const CLEAN = { known: true, assets: [] }
const NFT = { kind: 'atomical', id: ID, type: 'nft', number: 7, name: null, amount: 1n }
const unknown = (why: UnknownReason) => ({ known: false, why })

function open(network: 'regtest' | 'mainnet' | 'testnet4' = 'regtest') {
  const { access, clock } = createTestAccess()
  return { atomicals: createAtomicals(network, server.url, { access }), access, clock }
}

const ask = async (coin = COIN) =>
  (await open().atomicals.fetchAtomicals([coin])).get(coin.outpoint)

/** What is made of one coin of which the index says this. */
function classify(listed: object, facts: object[] = [atomicalFacts(ID)], coin = COIN) {
  sayListed(server, [{ ...coin, listed }], facts as { [field: string]: unknown }[])
  return ask(coin)
}

describe('the index that is asked which Atomicals are on a coin', () => {
  it('makes it clean by listing it with nothing on it', async () => {
    expect(await classify({})).toEqual(CLEAN)
    expect(server.asked).toEqual([`GET ${pathOfList(COIN.scriptPubKey)}`])
  })

  it('names NFTs, whatever it counts of them, and tokens with their units', async () => {
    const token = atomicalFacts(OTHER_ID, {
      type: 'FT',
      subtype: 'decentralized',
      atomical_number: 12,
      $ticker: 'atom',
    })
    const listed = { atomicals: { [ID]: 1000, [OTHER_ID]: 600 } }
    expect(await classify(listed, [atomicalFacts(ID), token])).toEqual({
      known: true,
      assets: [
        NFT,
        { kind: 'atomical', id: OTHER_ID, type: 'ft', number: 12, name: 'atom', amount: 600n },
      ],
    })
  })

  it.each([
    [600],
    ['600'],
    [{ value: 600 }],
    [{ atomical_value: 600, sat_value: 1000 }],
    [{ atomical_value: 600, value: 1000 }],
  ])('says %j where it means 600 units', async told => {
    const token = atomicalFacts(ID, { type: 'FT' })
    expect(await classify({ atomicals: { [ID]: told } }, [token])).toMatchObject({
      known: true,
      assets: [{ amount: 600n }],
    })
  })

  it.each<[string, UnknownReason, object]>([
    ['of another amount', 'contradicted', { value: 1_001 }],
    ['in another block', 'behind', { height: 91 }],
    ['in no block', 'behind', { height: 0 }],
    ['of an amount as a text', 'unanswered', { value: '1000' }],
    ['of more sats than there are', 'unanswered', { value: 2_100_000_000_000_001 }],
    ['without a word on Atomicals', 'unanswered', { atomicals: undefined }],
    ['with null of them', 'unanswered', { atomicals: null }],
    ['with a list of them', 'unanswered', { atomicals: [] }],
    ['with one that is none', 'unanswered', { atomicals: { '<img src=x>': 1 } }],
    ['with one of which it says no more', 'unanswered', { atomicals: { [OTHER_ID]: 1 } }],
    [
      'with a prototype',
      'unanswered',
      JSON.parse('{"atomicals":{"__proto__":1,"toString":1}}') as object,
    ],
    ['of another transaction', 'unanswered', { txid: 'ee'.repeat(32) }],
  ])('leaves one %s unknown: %s', async (_, why, listed) => {
    expect(await classify(listed)).toEqual(unknown(why))
  })

  it.each([
    ['an output that cannot be', { index: -1 }],
    ['an output as a text', { index: '1' }],
    ['no transaction', { txid: '../x' }],
  ])('that lists %s is not believed', async (_, listed) => {
    expect(await problemOf(classify(listed))).toMatchObject({ kind: 'nonsense' })
  })

  it.each<[unknown, UnknownReason]>([
    [0, 'contradicted'],
    [1_001, 'contradicted'],
    [-1, 'unanswered'],
    [0.5, 'unanswered'],
    [1e40, 'unanswered'],
    ['many', 'unanswered'],
    [null, 'unanswered'],
    [[5], 'unanswered'],
    [{}, 'unanswered'],
    [true, 'unanswered'],
  ])('leaves one with %j units of a token on 1000 sats unknown: %s', async (told, why) => {
    const token = atomicalFacts(ID, { type: 'FT' })
    expect(await classify({ atomicals: { [ID]: told } }, [token])).toEqual(unknown(why))
  })

  it.each<[string, object]>([
    ['of no kind', { type: 'nft' }],
    ['that is another', { atomical_id: OTHER_ID }],
    ['with a number below zero', { atomical_number: -1 }],
    ['with a number as a text', { atomical_number: '7' }],
  ])('leaves one unknown with an Atomical %s', async (_, changes) => {
    const facts = { ...atomicalFacts(ID), ...changes }
    sayListed(server, [{ ...COIN, listed: { atomicals: { [ID]: 1 } } }])
    const { type, atomical_number, atomical_id } = facts as { [field: string]: unknown }
    const global = atomicalsGlobal()
    const atomicals = { [ID]: { type, atomical_number, atomical_id, data: facts } }
    const utxos = [listedCoin(COIN, { atomicals: { [ID]: 1 } })]
    server.say({ [pathOfList(COIN.scriptPubKey)]: tell({ global, atomicals, utxos }) })
    expect(await ask()).toEqual(unknown('unanswered'))
  })

  it('that names an Atomical is believed, whichever block it has it in', async () => {
    const listed = { atomicals: { [ID]: 1000 }, height: 91 }
    expect(await classify(listed)).toEqual({ known: true, assets: [NFT] })
  })

  it('that does not list a coin says nothing of it', async () => {
    sayListed(server, [coinAt(2)])
    expect(await ask()).toEqual(unknown('unanswered'))
  })

  it('is not asked of what no block holds, and not believed of a block that it has not got to', async () => {
    const [young, late, last] = [
      coinAt(1, { height: null }),
      coinAt(2, { height: 101 }),
      coinAt(3, { height: 100 }),
    ]
    sayListed(server, [late, last])
    const { atomicals } = open()
    expect(await atomicals.fetchAtomicals([young])).toEqual(
      new Map([[young.outpoint, unknown('unconfirmed')]]),
    )
    expect(server.asked).toEqual([])
    expect([...(await atomicals.fetchAtomicals([young, late, last])).values()]).toEqual([
      unknown('unconfirmed'),
      unknown('behind'),
      CLEAN,
    ])
    expect(await atomicals.fetchAtomicals([])).toEqual(new Map())
  })

  it('is asked once for all coins of a script', async () => {
    const other = { ...coinAt(3), scriptPubKey: new Uint8Array(34) }
    sayListed(server, [coinAt(1), coinAt(2)])
    sayListed(server, [{ ...other, listed: { atomicals: { [ID]: 1000 } } }], [atomicalFacts(ID)])
    const coins = [coinAt(1), other, coinAt(2)]
    expect([...(await open().atomicals.fetchAtomicals(coins)).values()]).toEqual([
      CLEAN,
      { known: true, assets: [NFT] },
      CLEAN,
    ])
    expect(server.asked).toHaveLength(2)
  })

  it('answers for one script though it fails for another, and not at all when it fails for all', async () => {
    const other = { ...coinAt(2), scriptPubKey: new Uint8Array(34) }
    sayListed(server, [COIN])
    server.say({ [pathOfList(other.scriptPubKey)]: refuse('database is locked') })
    const told = await open().atomicals.fetchAtomicals([COIN, other])
    expect([...told.values()]).toEqual([CLEAN, unknown('unanswered')])
    expect(await problemOf(open().atomicals.fetchAtomicals([other]))).toMatchObject({
      kind: 'nonsense',
      host: server.host,
      detail: expect.stringContaining('database is locked'),
    })
  })

  it('that is of another chain for one script is believed of none', async () => {
    const other = { ...coinAt(2), scriptPubKey: new Uint8Array(34) }
    sayListed(server, [COIN])
    sayListed(server, [other], [], atomicalsGlobal({ network: 'mainnet' }))
    expect(await problemOf(open().atomicals.fetchAtomicals([COIN, other]))).toMatchObject({
      kind: 'wrong-network',
    })
  })

  it('that lists a coin twice is not believed', async () => {
    sayListed(server, [{ ...COIN, listed: { atomicals: { [ID]: 1 } } }, COIN], [atomicalFacts(ID)])
    expect(await problemOf(ask())).toMatchObject({ kind: 'nonsense' })
  })

  it('is asked for a shorter list where this one is too long, and once for what is on it', async () => {
    const held = coinAt(2)
    const picture = 'ff'.repeat(9_000_000)
    const listed = [listedCoin(COIN), listedCoin(held, { atomicals: { [ID]: 1000 } })]
    server.say({
      [GLOBAL]: tell({ global: atomicalsGlobal() }),
      [pathOfList(COIN.scriptPubKey)]: tell({ global: atomicalsGlobal(), picture }),
      [pathOfShortList(COIN.scriptPubKey)]: tell(listed),
      [pathOfFacts(ID)]: tell({ global: atomicalsGlobal(), result: atomicalFacts(ID) }),
    })
    const { atomicals } = open()
    for (let turn = 0; turn < 2; turn++) {
      const told = await atomicals.fetchAtomicals([COIN, held, coinAt(3)])
      expect([...told.values()]).toEqual([
        CLEAN,
        { known: true, assets: [NFT] },
        unknown('unanswered'),
      ])
    }
    expect(server.asked.filter(path => path === `GET ${pathOfFacts(ID)}`)).toHaveLength(1)
    server.say({ [GLOBAL]: tell({ global: atomicalsGlobal({ height: 89 }) }) })
    expect((await atomicals.fetchAtomicals([COIN])).get(COIN.outpoint)).toEqual(unknown('behind'))
  })
})

describe('the name of an Atomical', () => {
  it.each<[string | null, object]>([
    ['atom', { type: 'FT', $ticker: 'atom', $request_ticker: 'atom' }],
    ['satchel', { subtype: 'realm', $realm: 'satchel', $full_realm_name: 'satchel' }],
    ['pay.satchel', { subtype: 'subrealm', $subrealm: 'pay', $full_realm_name: 'pay.satchel' }],
    ['toothy', { subtype: 'container', $container: 'toothy' }],
    ['117', { subtype: 'dmitem', $dmitem: '117', $parent_container_name: 'toothy' }],
    // Others were first, or it is not settled yet.
    [null, { type: 'FT', $request_ticker: 'atom', $ticker: null }],
    [null, { subtype: 'request_subrealm', $full_realm_name: 'pay.satchel' }],
    [null, { subtype: 'request_realm', $request_realm: 'satchel' }],
    [null, { $realm: 'satchel', $full_realm_name: '<b>satchel</b>' }],
    [null, { $container: '\u202eyhtoot' }],
    [null, { $ticker: 'a'.repeat(257) }],
    [null, { $ticker: ['atom'] }],
    [null, { $ticker: '' }],
  ])('is %s where it says %j', async (name, changes) => {
    const facts = atomicalFacts(ID, changes)
    const told = await classify({ atomicals: { [ID]: 1000 } }, [facts])
    expect(told).toMatchObject({ known: true, assets: [{ name }] })
  })
})

describe('an index of Atomicals', () => {
  const fetchTip = (network?: 'mainnet' | 'testnet4') => open(network).atomicals.fetchTip()

  it('tells the newest block that it has indexed', async () => {
    server.say({ [GLOBAL]: tell({ global: atomicalsGlobal({ height: 812_345 }) }) })
    expect(await fetchTip()).toEqual({ height: 812_345 })
  })

  it.each<[string, object]>([
    ['wrong-network', { network: 'mainnet' }],
    ['wrong-network', { network: 'testnet' }],
    ['nonsense', { network: 7 }],
    ['nonsense', { height: null }],
    ['nonsense', { height: -1 }],
    ['nonsense', { height: 1e12 }],
  ])('is believed nothing when it is %s: %j', async (kind, changes) => {
    const global = atomicalsGlobal(changes)
    sayListed(server, [COIN], [], global)
    server.say({ [pathOfFacts(ID)]: tell({ global, result: atomicalFacts(ID) }) })
    const { atomicals } = open()
    const questions = [
      () => atomicals.fetchTip(),
      () => atomicals.fetchAtomicals([COIN]),
      () => atomicals.fetchFacts([ID]),
      () => atomicals.foresee(new Uint8Array(60)),
    ]
    for (const question of questions) expect(await problemOf(question())).toMatchObject({ kind })
  })

  it('of testnet3 is none of testnet4', async () => {
    server.say({ [GLOBAL]: tell({ global: atomicalsGlobal({ network: 'testnet' }) }) })
    expect(await problemOf(fetchTip('testnet4'))).toMatchObject({ kind: 'wrong-network' })
  })

  it.each([
    ['a page', '<!doctype html><title>Atomicals</title>'],
    ['half an answer', '{"success":true,"respo'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['no response', '{"success":true}'],
    ['null for a response', '{"success":true,"response":null}'],
    ['success as a text', '{"success":"true","response":{"global":{}}}'],
    ['no global', '{"success":true,"response":{}}'],
  ])('that sends %s is none', async (_, body) => {
    server.say({ [GLOBAL]: { body } })
    const problem = await problemOf(fetchTip())
    expect(problem).toMatchObject({ kind: 'nonsense', host: server.host })
  })

  it.each([
    ['a page', { status: 404, body: '<h1>Not Found</h1>' }, 'nonsense'],
    ['that it has no such method', { status: 404, body: '404: Not Found' }, 'nonsense'],
    [
      'that it was asked too often',
      { ...refuse('Rate limit exceeded'), status: 429 },
      'rate-limited',
    ],
    ['a page of its proxy', { status: 502, body: '<h1>Bad Gateway</h1>' }, 'unreachable'],
    ['a page of its own', { status: 500, body: '<h1>Internal Error</h1>' }, 'unreachable'],
    [
      'success when it failed',
      { ...tell({ global: atomicalsGlobal() }), status: 500 },
      'unreachable',
    ],
    [
      'success when it is lost',
      { ...tell({ global: atomicalsGlobal() }), status: 404 },
      'nonsense',
    ],
  ])('that answers %s is %s', async (_, answer, kind) => {
    server.say({ [GLOBAL]: answer })
    expect(await problemOf(fetchTip())).toMatchObject({ kind })
  })

  it('that sends more than anybody needs is not read on', async () => {
    server.say({ [GLOBAL]: asJson({ success: true, response: 'x'.repeat(9_000_000) }) })
    expect(await problemOf(fetchTip())).toMatchObject({ kind: 'nonsense' })
  })

  it('that hangs is given up on', async () => {
    sayListed(server, [COIN])
    const { access } = createTestAccess()
    const impatient: ServerAccess = {
      ...access,
      ask: (url, request) => access.ask(url, { ...request, timeoutMs: 50 }),
    }
    const atomicals = createAtomicals('regtest', server.url, { access: impatient })
    const hang = () => new Promise<never>(() => {})
    server.say({ [GLOBAL]: hang, [pathOfList(COIN.scriptPubKey)]: hang })
    for (const question of [atomicals.fetchTip(), atomicals.fetchAtomicals([COIN])])
      expect(await problemOf(question)).toMatchObject({ kind: 'unreachable' })
  })

  it('that cannot answer one question is given no rest, and one that fails is', async () => {
    sayListed(server, [COIN])
    server.say({ [pathOfFacts(ID)]: refuse('list index out of range') })
    const { atomicals } = open()
    expect(await problemOf(atomicals.fetchFacts([ID]))).toMatchObject({ retryInMs: null })
    expect([...(await atomicals.fetchAtomicals([COIN])).values()]).toEqual([CLEAN])
    server.say({ [pathOfFacts(ID)]: { status: 500, body: 'oops' } })
    expect(await problemOf(atomicals.fetchFacts([ID]))).toMatchObject({ retryInMs: 1000 })
    const asked = server.asked.length
    expect(await problemOf(atomicals.fetchAtomicals([COIN]))).toMatchObject({ kind: 'unreachable' })
    expect(server.asked).toHaveLength(asked)
  })
})
