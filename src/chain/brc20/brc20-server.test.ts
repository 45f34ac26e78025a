import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Brc20Api } from '../brc20-source.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createBrc20Server } from './brc20-server.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const KEY = 'a-key-that-nobody-else-may-see'

const OPI = { '/v1/brc20/block_height': { body: '7' } }
const UNISAT = {
  '/v1/indexer/blockchain/info': asJson({ code: 0, data: { chain: 'regtest' } }),
  '/v1/indexer/brc20/bestheight': asJson({ code: 0, data: { height: 9 } }),
}

function open(key: string | null = null, known = new Map<string, Brc20Api>()) {
  const apis = {
    find: async (url: string) => known.get(url) ?? null,
    keep: async (url: string, api: Brc20Api) => void known.set(url, api),
  }
  const { access } = createTestAccess()
  return { source: createBrc20Server('regtest', server.url, { access, apis, key }), known }
}

describe('a server of BRC-20', () => {
  it('is known as OPI by what it answers, and not asked again', async () => {
    server.say(OPI)
    const { source, known } = open()
    expect(await source.fetchTip()).toEqual({ height: 7 })
    expect([...known.values()]).toEqual(['opi'])
    expect(await open(null, known).source.fetchTip()).toEqual({ height: 7 })
    expect(server.asked.every(path => path.includes('/v1/brc20/block_height'))).toBe(true)
  })

  it.each([null, KEY])('is known as UniSat’s, with the key %s', async key => {
    server.say(UNISAT)
    const { source, known } = open(key)
    expect(await source.fetchTip()).toEqual({ height: 9 })
    expect([...known.values()]).toEqual(['unisat'])
  })

  it('that lists something twice has it once', async () => {
    const of = (ticker: string, available: string) => ({
      ticker,
      overallBalance: available,
      availableBalance: available,
      transferableBalance: '0',
    })
    const detail = [of('ordi', '1'), of('meme', '2'), of('ORDI', '3')]
    const path = '/v1/indexer/address/bcrt1q/brc20/summary?tick_filter=56&exclude_zero=true'
    server.say({
      ...UNISAT,
      [`${path}&start=0&limit=100`]: asJson({ code: 0, data: { total: 3, detail } }),
    })
    const balances = await open(KEY).source.fetchBalances('bcrt1q', [])
    expect(balances.map(({ tick, available }) => [tick, available / 10n ** 18n])).toEqual([
      ['ordi', 1n],
      ['meme', 2n],
    ])
  })

  it('that wants a key says so', async () => {
    const body = '{"code":-1,"msg":"Invalid API Key"}'
    server.say({ '/v1/indexer/blockchain/info': { status: 401, body } })
    const problem = await problemOf(open().source.fetchTip())
    expect(problem).toMatchObject({ kind: 'nonsense', host: server.host })
    expect(problem.detail).toContain('answered 401')
  })

  it('that is something else is found out again when it is asked again', async () => {
    server.say({ '/v1/brc20/block_height': { body: '<html>Welcome</html>' } })
    const { source } = open()
    expect(await problemOf(source.fetchTip())).toMatchObject({
      detail: 'is neither OPI nor the Open API of UniSat',
    })
    server.say(OPI)
    expect(await source.fetchTip()).toEqual({ height: 7 })
  })

  it.each([400, 401, 403, 429, 500])(
    'that answers %i with the key in it does not get it into an error',
    async status => {
      const echo = { status, body: `${' '.repeat(150)}${'x'.repeat(100)} is no key: ${KEY}!` }
      server.say({ '/v1/indexer/blockchain/info': echo, '/v1/brc20/block_height': echo })
      const error = await open(KEY)
        .source.fetchTip()
        .catch(cause => cause)
      expect(error.name).toBe('BackendUnavailableError')
      expect(JSON.stringify(error.problem) + error.message).not.toContain(KEY)
    },
  )

  it('that sends on to another host takes the key there in no case', async () => {
    const other = await startScriptedServer()
    const headers = { location: `${other.url}/v1/indexer/blockchain/info` }
    server.say({
      '/v1/indexer/blockchain/info': { status: 302, body: '', headers },
      '/v1/brc20/block_height': { status: 302, body: '', headers },
    })
    expect(await problemOf(open(KEY).source.fetchTip())).toMatchObject({ kind: 'unreachable' })
    expect(other.asked).toEqual([])
    await other.close()
  })
})
