import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answers,
  asJson,
  type ScriptedServer,
  startScriptedServer,
} from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createUnisat } from './unisat.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reset()
  server.say({ '/v1/indexer/blockchain/info': data({ chain: 'regtest', blocks: 120 }) })
})

const ADDRESS = 'bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg'
const ID = `${'ab'.repeat(32)}i0`
const UNIT = 10n ** 18n

const open = () =>
  createUnisat('regtest', server.url, { access: createTestAccess().access, key: 'devnet' })

const data = (value: unknown) => asJson({ code: 0, msg: 'ok', data: value })
const summaryPath = (start: number) =>
  `/v1/indexer/address/${ADDRESS}/brc20/summary?tick_filter=56&exclude_zero=true&start=${start}&limit=100`

function row(ticker: string, available: string, transferable: string) {
  return {
    ticker,
    overallBalance: '0',
    availableBalance: available,
    transferableBalance: transferable,
  }
}

/** All that an address has, in pages. */
function summary(rows: ReturnType<typeof row>[]): Answers {
  const pages = Array.from({ length: Math.max(1, Math.ceil(rows.length / 100)) }, (_, page) => [
    summaryPath(page * 100),
    data({
      height: 120,
      start: page * 100,
      total: rows.length,
      detail: rows.slice(page * 100, page * 100 + 100),
    }),
  ])
  return Object.fromEntries(pages)
}

const ORDI = {
  ticker: 'ordi',
  inscriptionId: ID,
  max: '21000000',
  limit: '1000',
  minted: '20999999.5',
  totalMinted: '20999999.5',
  decimal: 18,
}

describe('the Open API of UniSat', () => {
  it('is sent the key with everything, and tells the newest block of BRC-20', async () => {
    const keys: unknown[] = []
    server.say({
      '/v1/indexer/brc20/bestheight': (_, { authorization }) => {
        keys.push(authorization)
        return data({ height: 118, blockid: '', timestamp: 1, total: 2 })
      },
    })
    expect(await open().fetchTip()).toEqual({ height: 118 })
    expect(keys).toEqual(['Bearer devnet'])
  })

  it('of another chain is not used', async () => {
    server.say({ '/v1/indexer/blockchain/info': data({ chain: 'main', blocks: 9 }) })
    expect(await problemOf(open().fetchBalances(ADDRESS, []))).toMatchObject({
      kind: 'wrong-network',
    })
  })

  it('lists all balances, page after page', async () => {
    const rows = Array.from({ length: 230 }, (_, at) => row(`t${100 + at}`, `${at}.5`, '0'))
    server.say(summary(rows))
    const balances = await open().fetchBalances(ADDRESS, [])
    expect(balances).toHaveLength(230)
    expect(balances[229]).toEqual({
      tick: 't329',
      available: 229n * UNIT + UNIT / 2n,
      transferable: 0n,
    })
  })

  it('is asked for the transferables of those tokens that have some', async () => {
    const path = (tick: string) =>
      `/v1/indexer/address/${ADDRESS}/brc20/${tick}/transferable-inscriptions?&start=0&limit=100`
    const note = (tick: string) => ({
      inscriptionNumber: 7,
      inscriptionId: ID,
      satoshi: 546,
      confirmations: 3,
      data: { op: 'transfer', tick, lim: '1000', amt: '0.25', decimal: '18' },
    })
    server.say({
      ...summary([row('ORDI', '1', '0.25'), row('meme', '1', '0'), row('a b!', '0', '0.25')]),
      [path('ordi')]: data({ start: 0, total: 1, detail: [note('ORDI')] }),
      [path('61206221')]: data({ start: 0, total: 1, detail: [note('a b!')] }),
    })
    expect(await open().fetchTransferables(ADDRESS)).toEqual([
      { tick: 'ordi', id: ID, amount: UNIT / 4n },
      { tick: 'a b!', id: ID, amount: UNIT / 4n },
    ])
  })

  it('tells of tokens, and of those that are none', async () => {
    server.say({
      '/v1/indexer/brc20/ORDI/info': data(ORDI),
      '/v1/indexer/brc20/pizza/info': data({ ...ORDI, ticker: 'PIZZA' }),
      '/v1/indexer/brc20/none/info': asJson({ code: -1, msg: 'ticker not exist', data: null }),
    })
    const unisat = open()
    expect(await unisat.fetchToken('ORDI')).toEqual({
      tick: 'ordi',
      decimals: 18,
      supply: 21_000_000n * UNIT,
      limit: 1000n * UNIT,
      minted: 20_999_999n * UNIT + UNIT / 2n,
      selfMint: false,
      deploy: ID,
    })
    expect(await unisat.fetchToken('pizza')).toMatchObject({ selfMint: true })
    expect(await unisat.fetchToken('none')).toBeNull()
  })

  it('that fails says nothing of whether a token is there', async () => {
    server.say({
      '/v1/indexer/brc20/ordi/info': asJson({ code: -1, msg: 'internal error', data: null }),
    })
    expect(await problemOf(open().fetchToken('ordi'))).toMatchObject({ kind: 'nonsense' })
  })

  it.each<[string, object]>([
    ['another token', { ticker: 'meme' }],
    ['a supply that is a number', { max: 21e6 }],
    ['too many digits', { limit: `1.${'0'.repeat(19)}` }],
    ['more than 64 bits', { max: '18446744073709551616' }],
    ['no deploy', { inscriptionId: undefined }],
    ['decimals as text', { decimal: '18' }],
  ])('is not believed %s', async (_, changes) => {
    server.say({ '/v1/indexer/brc20/ordi/info': data({ ...ORDI, ...changes }) })
    expect(await problemOf(open().fetchToken('ordi'))).toMatchObject({ kind: 'nonsense' })
  })

  it.each([row('ordi', '-1', '0'), row('ordi', '1e3', '0'), row('o', '1', '0')])(
    'is not believed a balance of %j',
    async one => {
      server.say(summary([one]))
      expect(await problemOf(open().fetchBalances(ADDRESS, []))).toMatchObject({ kind: 'nonsense' })
    },
  )
})
