import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  asJson,
  type ScriptedServer,
  startScriptedServer,
} from '../../chain/testing/scripted-server.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { createServers } from './servers.ts'

let server: ScriptedServer
let other: ScriptedServer
const keys: unknown[] = []

beforeAll(async () => {
  server = await startScriptedServer()
  other = await startScriptedServer()
})
afterAll(() => Promise.all([server.close(), other.close()]))
beforeEach(() => {
  server.reset()
  keys.length = 0
})

const KEY = 'the-key-of-a-person'

/** UniSat's interface, for who has the key. */
function speakUnisat(chain = 'regtest'): void {
  const answer = (value: unknown) => (_: string, headers: IncomingHttpHeaders) => {
    keys.push(headers.authorization)
    if (headers.authorization === `Bearer ${KEY}`) return asJson({ code: 0, data: value })
    return { status: 401, body: '{"code":-1,"msg":"Invalid API Key"}' }
  }
  server.say({
    '/v1/indexer/blockchain/info': answer({ chain, blocks: 7 }),
    '/v1/indexer/brc20/bestheight': answer({ height: 7 }),
  })
}

function createTestServers(session = createMemoryArea()) {
  const local = createMemoryArea()
  const servers = createServers({
    records: createPlainRecords(local),
    session,
    now: () => 1_800_000_000_000,
    random: n => new Uint8Array(n),
  })
  const view = async () => (await servers.list('regtest')).find(({ kind }) => kind === 'brc20')
  return { servers, local, session, view }
}

describe('the server of BRC-20', () => {
  it('is devnet’s on regtest, and none elsewhere until the person names one', async () => {
    const { servers } = createTestServers()
    expect((await servers.urls('regtest')).brc20).toBe('http://127.0.0.1:18480/opi')
    expect((await servers.urls('mainnet')).brc20).toBe('')
    expect(await servers.openBrc20('mainnet')).toBeNull()
  })

  it('is checked with the key before it is stored', async () => {
    speakUnisat()
    const { servers } = createTestServers()
    expect(await servers.check('regtest', 'brc20', server.url, KEY)).toMatchObject({
      usable: true,
      height: 7,
      live: false,
    })
    const refused = await servers.check('regtest', 'brc20', server.url, 'another')
    expect(refused).toMatchObject({ usable: false, problem: { kind: 'nonsense' } })
    expect(JSON.stringify(refused)).toContain('answered 401')
  })

  it('of another chain is told as such, and not stored', async () => {
    speakUnisat('main')
    const { servers } = createTestServers()
    expect(await servers.check('regtest', 'brc20', server.url, KEY)).toMatchObject({
      usable: false,
      problem: { kind: 'wrong-network' },
    })
    const set = servers.set('regtest', 'brc20', server.url, KEY)
    await expect(set).rejects.toMatchObject({ code: -32602 })
    expect((await servers.urls('regtest')).brc20).not.toBe(server.url)
  })

  it('is used with its key, of which the views say only that it is there', async () => {
    speakUnisat()
    const { servers, view } = createTestServers()
    await servers.set('regtest', 'brc20', server.url, KEY)
    const source = await servers.openBrc20('regtest')
    expect(await source?.fetchTip()).toEqual({ height: 7 })
    expect(await view()).toMatchObject({ url: server.url, custom: true, hasKey: true })
    expect(JSON.stringify(await servers.list('regtest'))).not.toContain(KEY)
    const [state] = (await servers.states('regtest')).filter(({ kind }) => kind === 'brc20')
    expect(state).toMatchObject({ state: 'synced', height: 7 })
    expect(new Set(keys)).toEqual(new Set([`Bearer ${KEY}`]))
  })

  it('keeps its key while its address stays, and loses it with it', async () => {
    const { servers, local, view } = createTestServers()
    await servers.set('regtest', 'brc20', server.url, KEY)
    await servers.set('regtest', 'brc20', server.url)
    expect(await view()).toMatchObject({ hasKey: true })
    await servers.set('regtest', 'brc20', `${server.url}/elsewhere`)
    expect(await view()).toMatchObject({ hasKey: false })
    expect(await local.get('serverKeys')).toEqual({})
    await servers.set('regtest', 'brc20', server.url, KEY)
    await servers.set('regtest', 'brc20', '')
    expect(await view()).toMatchObject({ custom: false, hasKey: false })
    await servers.set('regtest', 'brc20', server.url, KEY)
    await servers.set('regtest', 'brc20', server.url, '')
    expect(await view()).toMatchObject({ hasKey: false })
  })

  it('is sent no key that was given for another address or another kind', async () => {
    speakUnisat()
    const { servers } = createTestServers()
    await servers.set('regtest', 'brc20', other.url, KEY)
    await servers.check('regtest', 'brc20', server.url)
    await servers.set('regtest', 'chain', server.url)
    await servers.check('regtest', 'assets', server.url)
    await servers.set('signet', 'brc20', server.url)
    await (await servers.openBrc20('signet'))?.fetchTip().catch(() => {})
    expect(keys.filter(key => key !== undefined)).toEqual([])
  })

  it('is asked which interface it has once while the browser is open', async () => {
    server.say({ '/v1/brc20/block_height': { body: '7' } })
    const { servers, session, local } = createTestServers()
    await servers.set('regtest', 'brc20', server.url)
    await (await servers.openBrc20('regtest'))?.fetchTip()
    const next = createServers({
      records: createPlainRecords(local),
      session,
      now: Date.now,
      random: n => new Uint8Array(n),
    })
    server.asked.length = 0
    await (await next.openBrc20('regtest'))?.fetchTip()
    expect(server.asked).toEqual(['GET /v1/brc20/block_height'])
  })
})
