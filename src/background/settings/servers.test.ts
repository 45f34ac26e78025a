import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { InvalidServerUrlError } from '../../chain/access/invalid-server-url.ts'
import { GENESIS_HASH } from '../../chain/genesis.ts'
import { atomicalsGlobal, GLOBAL, tell } from '../../chain/testing/scripted-atomicals.ts'
import { ordStatus } from '../../chain/testing/scripted-ord.ts'
import {
  type Answers,
  asJson,
  type ScriptedServer,
  startScriptedServer,
} from '../../chain/testing/scripted-server.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { createChosenServers } from './chosen-servers.ts'
import { createServers } from './servers.ts'

let server: ScriptedServer
let other: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
  other = await startScriptedServer()
})
afterAll(() => Promise.all([server.close(), other.close()]))
beforeEach(() => {
  server.reset()
  other.reset()
})

const NOW = 1_800_000_000_000

function createTestServers(stored: { [key: string]: unknown } = {}, session = createMemoryArea()) {
  const local = createMemoryArea(stored)
  const clock = { now: NOW }
  const records = createPlainRecords(local)
  const chosen = createChosenServers({ records })
  const servers = createServers({
    records,
    session,
    now: () => clock.now,
    random: n => new Uint8Array(n),
  })
  return { servers, chosen, local, session, clock }
}

/** The newest block that an index has. */
const indexed = (height: number, chain = 'regtest'): Answers => ({
  '/status': asJson(ordStatus({ height, chain })),
})

/** A newest block, mined so many minutes ago. */
function tip(height: number, minutes = 0): Answers {
  const id = height.toString(16).padStart(64, '0')
  return {
    '/blocks/tip/hash': { body: id },
    [`/block/${id}`]: asJson({ id, height, timestamp: NOW / 1000 - 60 * minutes }),
  }
}

describe('the servers of a network', () => {
  it('are one by default: a second one would learn the addresses too', async () => {
    const { servers } = createTestServers()
    expect(await servers.urls('mainnet')).toEqual({
      chain: 'https://mempool.space/api',
      secondChain: '',
      assets: 'https://ordinals.com',
      secondAssets: '',
      brc20: '',
      atomicals: '',
      fees: '',
      price: '',
      names: '',
    })
    expect((await servers.list('signet')).every(({ custom }) => !custom)).toBe(true)
  })

  it('are those that the person chose, per network, until they are taken back', async () => {
    const { servers, chosen } = createTestServers()
    await servers.set('regtest', 'chain', ` ${server.url}/ `)
    await servers.set('regtest', 'price', 'https://prices.example/api')
    expect(await servers.list('regtest')).toMatchObject([
      { kind: 'chain', url: server.url, custom: true, defaultUrl: 'http://127.0.0.1:18480/api' },
      { kind: 'secondChain', url: '', custom: false, defaultUrl: '' },
      {
        kind: 'assets',
        url: 'http://127.0.0.1:18480/ord',
        custom: false,
        defaultUrl: 'http://127.0.0.1:18480/ord',
      },
      { kind: 'secondAssets', url: '', custom: false, defaultUrl: '' },
      { kind: 'brc20', custom: false, defaultUrl: 'http://127.0.0.1:18480/opi', hasKey: false },
      {
        kind: 'atomicals',
        custom: false,
        defaultUrl: 'http://127.0.0.1:18480/atomicals/proxy',
        hasKey: false,
      },
      { kind: 'fees', url: '', custom: false, defaultUrl: '' },
      { kind: 'price', url: 'https://prices.example/api', custom: true, defaultUrl: '' },
      { kind: 'names', url: '', custom: false, defaultUrl: '' },
    ])
    expect(await chosen.chainServer('regtest')).toEqual({ url: server.url, custom: true })
    expect((await servers.urls('signet')).price).toBe('')
    await servers.set('regtest', 'chain', '')
    expect(await chosen.chainServer('regtest')).toEqual({
      url: 'http://127.0.0.1:18480/api',
      custom: false,
    })
    expect((await servers.urls('regtest')).price).toBe('https://prices.example/api')
  })

  it('chosen in an earlier version stay chosen', async () => {
    const { servers, chosen, local } = createTestServers({
      servers: { signet: 'https://own.example/api', nonsense: 1, regtest: null },
    })
    expect(await chosen.chainServer('signet')).toEqual({
      url: 'https://own.example/api',
      custom: true,
    })
    expect((await chosen.chainServer('regtest')).custom).toBe(false)
    await servers.set('signet', 'fees', 'https://fees.example')
    expect(local.dump().servers).toMatchObject({
      signet: { chain: 'https://own.example/api', fees: 'https://fees.example' },
    })
  })

  it('are not changed to one of another network, a second time the same, or no address', async () => {
    const { servers, local } = createTestServers()
    server.say({ '/block-height/0': { body: GENESIS_HASH.mainnet } })
    await expect(servers.set('regtest', 'chain', server.url)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('follows another chain'),
    })
    await expect(
      servers.set('regtest', 'secondChain', 'http://127.0.0.1:18480/api'),
    ).rejects.toMatchObject({ code: -32602 })
    other.say(indexed(5, 'mainnet'))
    await expect(servers.set('regtest', 'assets', other.url)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('follows another chain'),
    })
    await expect(
      servers.set('regtest', 'secondAssets', 'http://127.0.0.1:18480/ord'),
    ).rejects.toMatchObject({ code: -32602 })
    await expect(servers.set('regtest', 'chain', 'http://own.example')).rejects.toThrow(
      InvalidServerUrlError,
    )
    expect(local.dump()).toEqual({})
  })

  it('are no second time the same where one goes back to the default, or both are chosen at once', async () => {
    const { servers } = createTestServers()
    await servers.set('regtest', 'chain', server.url)
    await servers.set('regtest', 'secondChain', 'http://127.0.0.1:18480/api')
    await expect(servers.set('regtest', 'chain', '')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('another server'),
    })
    expect(await servers.urls('regtest')).toMatchObject({
      ...{ chain: server.url, secondChain: 'http://127.0.0.1:18480/api' },
    })
    const both = ['assets', 'secondAssets'] as const
    const ended = await Promise.allSettled(both.map(one => servers.set('signet', one, other.url)))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await servers.urls('signet')).toMatchObject({ assets: other.url, secondAssets: '' })
  })

  it('are one where a backup brings the same a second time', async () => {
    const { servers, local } = createTestServers()
    await servers.set('regtest', 'secondChain', server.url)
    const added = [{ network: 'regtest', kind: 'chain', url: server.url, key: null } as const]
    await local.set(await servers.entriesWith(added))
    expect(await servers.urls('regtest')).toMatchObject({ chain: server.url, secondChain: '' })
    expect((await servers.open('regtest')).servers).toHaveLength(1)
  })

  it('may be one that does not answer now', async () => {
    const { servers, chosen } = createTestServers()
    await servers.set('regtest', 'chain', 'http://127.0.0.1:9')
    expect((await chosen.chainServer('regtest')).url).toBe('http://127.0.0.1:9')
  })

  it('are asked for their first block once, by all workers until the browser closes', async () => {
    server.say(tip(5))
    const session = createMemoryArea()
    for (let worker = 0; worker < 2; worker++) {
      const { servers } = createTestServers({ servers: { regtest: server.url } }, session)
      expect((await (await servers.open('regtest')).fetchTip()).height).toBe(5)
    }
    expect(server.asked.filter(path => path === 'GET /block-height/0')).toHaveLength(1)
  })

  it('share their rest, whoever asks, until the person wants an answer', async () => {
    const { servers } = createTestServers({ servers: { regtest: server.url } })
    server.say({ ...tip(5), '/v1/fees/precise': { status: 502, body: '' } })
    const chain = await servers.open('regtest')
    await expect(chain.fetchFeeRates()).rejects.toThrow(/502/)
    await expect((await servers.open('regtest')).fetchTip()).rejects.toThrow(/502/)
    await servers.resetBackoff('regtest')
    expect((await chain.fetchTip()).height).toBe(5)
  })
})

describe('the indexes of a network', () => {
  it('are one source, which is asked anew once another is chosen', async () => {
    server.say(indexed(5))
    other.say(indexed(4))
    const { servers } = createTestServers({
      servers: { regtest: { assets: server.url, atomicals: '' } },
    })
    expect(await (await servers.openAssets('regtest')).fetchTip()).toEqual({ height: 5 })
    expect(await servers.openAssets('regtest')).toBe(await servers.openAssets('regtest'))
    await servers.set('regtest', 'secondAssets', other.url)
    expect(await (await servers.openAssets('regtest')).fetchTip()).toEqual({ height: 4 })
    await servers.set('regtest', 'secondAssets', '')
    expect(await (await servers.openAssets('regtest')).fetchTip()).toEqual({ height: 5 })
  })

  it('that are away leave the chain servers of this machine reachable', async () => {
    server.say(tip(5))
    const base = { chain: server.url, assets: `${server.url}/ord`, atomicals: '' }
    server.say({ '/ord/status': { status: 503, body: '' } })
    const { servers } = createTestServers({ servers: { regtest: base } })
    await expect((await servers.openAssets('regtest')).fetchTip()).rejects.toThrow(/503/)
    expect((await (await servers.open('regtest')).fetchTip()).height).toBe(5)
  })
})

describe('the state of a server', () => {
  const stateOf = async (stored: object, network: 'regtest' | 'mainnet' = 'regtest') => {
    const { servers } = createTestServers({ servers: { [network]: atTestServer(stored) } })
    return servers.states(network)
  }
  /** No test asks a server of the world. */
  const atTestServer = (stored: object) => ({
    assets: `${other.url}/ord`,
    brc20: `${other.url}/opi`,
    atomicals: `${other.url}/proxy`,
    ...stored,
  })
  const ofChain = ({ kind }: { kind: string }) => kind === 'chain' || kind === 'secondChain'

  it('is synced with its height, and asked for each server that is set', async () => {
    server.say({ ...tip(7, 10_000), '/v1/fees/precise': asJson({ fastestFee: 'x' }) })
    other.say({ ...tip(6), ...indexed(7), '/v1/prices': asJson({ USD: 1 }) })
    other.say({ '/opi/v1/brc20/block_height': { body: '5' } })
    other.say({ [`/proxy${GLOBAL}`]: tell({ global: atomicalsGlobal({ height: 6 }) }) })
    const states = await stateOf({
      chain: server.url,
      secondChain: other.url,
      assets: other.url,
      fees: server.url,
      price: other.url,
    })
    expect(states).toMatchObject([
      { kind: 'chain', state: 'synced', height: 7, latencyMs: 0, problem: null },
      { kind: 'secondChain', state: 'synced', height: 6 },
      { kind: 'assets', state: 'synced', height: 7, latencyMs: 0, problem: null },
      { kind: 'brc20', state: 'behind', height: 5, problem: null },
      { kind: 'atomicals', state: 'synced', height: 6, problem: null },
      { kind: 'fees', state: 'unreachable', height: null, problem: { kind: 'nonsense' } },
      { kind: 'price', state: 'synced', height: null, problem: null },
    ])
  })

  it('is behind with two blocks fewer than the other', async () => {
    server.say(tip(7))
    other.say(tip(9))
    const states = await stateOf({ chain: server.url, secondChain: other.url })
    expect(states.filter(ofChain)).toMatchObject([
      { kind: 'chain', state: 'behind', height: 7 },
      { kind: 'secondChain', state: 'synced', height: 9 },
    ])
  })

  it.each([
    [8, 'synced'],
    [7, 'behind'],
    [1_000, 'synced'],
  ])(
    'of an index at block %i is %s at 9 blocks, and never makes the chain server look old',
    async (height, state) => {
      server.say({ ...tip(9), ...indexed(height) })
      const states = await stateOf({ chain: server.url, assets: server.url })
      expect(states.slice(0, 2)).toMatchObject([
        { kind: 'chain', state: 'synced' },
        { kind: 'assets', state, height },
      ])
    },
  )

  it.each([
    ['wrong-network', indexed(9, 'signet'), 'wrong-network'],
    ['unreachable', { '/status': asJson(ordStatus({ rune_index: false })) }, 'nonsense'],
    ['unreachable', { '/status': { body: '<html>' } }, 'nonsense'],
  ])('of an index is %s with its problem', async (state, answers, kind) => {
    server.say({ ...tip(9), ...answers })
    const states = await stateOf({ chain: server.url, assets: server.url })
    expect(states.slice(0, 2)).toMatchObject([
      { kind: 'chain', state: 'synced' },
      { kind: 'assets', state, height: null, problem: { kind } },
    ])
  })

  it('is behind with two blocks fewer than were seen before, until another is chosen', async () => {
    const { servers } = createTestServers({
      servers: { regtest: atTestServer({ chain: server.url }) },
    })
    const stateOfChain = async () => (await servers.states('regtest'))[0]?.state
    server.say(tip(9))
    expect(await stateOfChain()).toBe('synced')
    server.say(tip(7))
    expect(await stateOfChain()).toBe('behind')
    other.say(tip(7))
    await servers.set('regtest', 'chain', other.url)
    expect(await stateOfChain()).toBe('synced')
  })

  it.each([
    [119, 'synced'],
    [121, 'behind'],
  ])('with a newest block %i minutes old is %s on mainnet', async (minutes, state) => {
    server.say({ '/block-height/0': { body: GENESIS_HASH.mainnet }, ...tip(900_000, minutes) })
    expect((await stateOf({ chain: server.url }, 'mainnet'))[0]).toMatchObject({ state })
  })

  it('is wrong-network on another chain', async () => {
    server.say({ '/block-height/0': { body: GENESIS_HASH.mainnet }, ...tip(7) })
    expect((await stateOf({ chain: server.url }))[0]).toMatchObject({
      state: 'wrong-network',
      height: null,
      problem: { kind: 'wrong-network' },
    })
  })

  it('is asked anew while the server is given a rest, and a good answer ends that', async () => {
    const { servers } = createTestServers({ servers: { regtest: server.url } })
    const chain = await servers.open('regtest')
    server.say({ '/block-height/0': { status: 502, body: '' } })
    await expect(chain.fetchTip()).rejects.toThrow(/502/)
    server.reset()
    server.say(tip(7))
    expect((await servers.states('regtest'))[0]).toMatchObject({ state: 'synced', height: 7 })
    expect((await chain.fetchTip()).height).toBe(7)
  })
})

describe('a server that a person types in', () => {
  it('is tried for what it is wanted for; nothing is stored', async () => {
    const { servers, local } = createTestServers()
    server.say({ ...tip(7), '/v1/prices': asJson({ USD: 1 }) })
    expect(await servers.check('regtest', 'chain', `${server.url}/`)).toEqual({
      usable: true,
      height: 7,
      latencyMs: 0,
      live: false,
    })
    expect(await servers.check('regtest', 'price', server.url)).toMatchObject({ usable: true })
    expect(await servers.check('regtest', 'fees', server.url)).toMatchObject({
      usable: false,
      problem: { kind: 'nonsense', host: server.host },
    })
    server.say(indexed(6))
    expect(await servers.check('regtest', 'assets', server.url)).toEqual({
      usable: true,
      height: 6,
      latencyMs: 0,
      live: false,
    })
    expect(await servers.check('signet', 'secondAssets', server.url)).toMatchObject({
      usable: false,
      problem: { kind: 'wrong-network' },
    })
    expect(await servers.check('mainnet', 'secondChain', server.url)).toMatchObject({
      usable: false,
      problem: { kind: 'wrong-network' },
    })
    expect(await servers.check('regtest', 'chain', 'http://127.0.0.1:9')).toMatchObject({
      usable: false,
      problem: { kind: 'unreachable', host: '127.0.0.1:9' },
    })
    expect(local.dump()).toEqual({})
  })
})
