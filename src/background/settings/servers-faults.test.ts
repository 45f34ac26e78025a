import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { GENESIS_HASH } from '../../chain/genesis.ts'
import {
  type Answer,
  type Answers,
  asJson,
  type ScriptedServer,
  startScriptedServer,
} from '../../chain/testing/scripted-server.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  startUnlocked,
  type Worker,
} from '../testing/test-wallet.ts'

const ORIGIN = 'https://shop.example'
const RECIPIENT = 'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx'

let server: ScriptedServer
let worker: Worker
let address: string

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  server.reset()
  const world = createWorld()
  world.clock.now = Date.now()
  await world.local.set({ servers: { regtest: server.url } })
  worker = await startUnlocked(world)
  worker.wallet.chain = worker.wallet.servers.open
  address = (await worker.ui('getState', null)).accounts[0]?.address ?? ''
})
afterEach(() => vi.restoreAllMocks())

const stats = (funded: unknown, spent = 0) => ({
  funded_txo_sum: funded,
  spent_txo_sum: spent,
  tx_count: 1,
})

/** Every question about the account and the network gets this answer. */
function everything(answer: Answers[string]): Answers {
  const paths = ['', '/utxo', '/txs'].map(path => `/address/${address}${path}`)
  const others = ['/block-height/0', '/blocks/tip/hash', '/v1/fees/precise', '/fee-estimates']
  return Object.fromEntries([...paths, ...others].map(path => [path, answer]))
}

/** A server that works but for what is given. */
function allBut(answers: Answers): Answers {
  const id = 'abcd'.padStart(64, '0')
  return {
    [`/address/${address}`]: asJson({ chain_stats: stats(1000), mempool_stats: stats(0) }),
    [`/address/${address}/utxo`]: asJson([]),
    [`/address/${address}/txs`]: asJson([]),
    '/blocks/tip/hash': { body: id },
    [`/block/${id}`]: asJson({ id, height: 7, timestamp: 1_700 }),
    '/v1/fees/precise': asJson({ fastestFee: 3, halfHourFee: 2, hourFee: 1, minimumFee: 1 }),
    ...answers,
  }
}

const FAULTS: [name: string, kind: string, answers: () => Answers][] = [
  ['is away', 'unreachable', () => everything({ status: 502, body: '<html>502</html>' })],
  ['limits its callers', 'rate-limited', () => everything({ status: 429, body: 'slow down' })],
  ['sends web pages', 'nonsense', () => everything({ body: '<html>Log in to WiFi</html>' })],
  [
    'follows mainnet',
    'wrong-network',
    () => ({ '/block-height/0': { body: GENESIS_HASH.mainnet } }),
  ],
  [
    'sends text for numbers',
    'nonsense',
    () =>
      allBut({
        [`/address/${address}`]: asJson({ chain_stats: stats('1000'), mempool_stats: stats(0) }),
        [`/address/${address}/utxo`]: asJson([{ txid: 'x', vout: '0', value: '1' }]),
      }),
  ],
  [
    'lies about amounts',
    'nonsense',
    () =>
      allBut({
        [`/address/${address}`]: asJson({ chain_stats: stats(1, 2), mempool_stats: stats(0) }),
        [`/address/${address}/utxo`]: asJson([
          { txid: 'ab'.repeat(32), vout: 0, value: -1, status: { confirmed: false } },
        ]),
      }),
  ],
]

describe.each(FAULTS)('with a server that %s', (_, kind, answers) => {
  beforeEach(() => server.say(answers()))

  it('the home screen says so, with the host', async () => {
    expect(await worker.ui('getOverview', null)).toMatchObject({
      balance: null,
      problem: { kind, host: server.host },
      activity: [],
    })
  })

  it('a call of our own pages that fails names the server', async () => {
    const error = await worker.ui('getCoins', null).catch(cause => cause)
    expect(error).toMatchObject({
      code: -32000,
      data: { reason: 'BACKEND_UNAVAILABLE', kind, host: server.host },
    })
  })

  it('pages hear BACKEND_UNAVAILABLE and not which server it is, and messages are signed', async () => {
    const page = await connectPage(worker, ORIGIN)
    for (const answer of [
      await page.call('getBalance'),
      await page.call('sendBitcoin', RECIPIENT, 20_000),
    ]) {
      expect(answer).toMatchObject({
        error: { code: -32000, data: { reason: 'BACKEND_UNAVAILABLE' } },
      })
      expect(JSON.stringify(answer)).not.toContain(server.host)
    }
    expect(await worker.ui('getApproval', null)).toBeNull()
    const signature = page.call('signMessage', 'still here')
    await decideNext(worker, 'approve', 'sign-message')
    expect(await signature).toMatchObject({ result: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) })
  })
})

describe('a server that does not answer', () => {
  it('is given up, and not waited for again at once', async () => {
    const timeout = AbortSignal.timeout
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => timeout.call(AbortSignal, ms / 150))
    server.say(everything(() => new Promise<Answer>(() => {})))
    const { problem } = await worker.ui('getOverview', null)
    expect(problem).toMatchObject({ kind: 'unreachable', detail: 'did not answer within 15 s' })
    const asked = server.asked.length
    expect((await worker.ui('getOverview', null)).problem?.retryInMs).toBeGreaterThan(0)
    expect(server.asked).toHaveLength(asked)
    await worker.ui('getOverview', { retry: true })
    expect(server.asked.length).toBeGreaterThan(asked)
  })
})

describe('an address with more coins than its server lists', () => {
  const tooMany = { status: 400, body: 'Too many unspent transaction outputs (>500).' }

  it('keeps its balance, and a payment says that the server gave no answer', async () => {
    server.say(allBut({ [`/address/${address}/utxo`]: tooMany }))
    expect(await worker.ui('getOverview', null)).toMatchObject({ balance: { confirmed: '1000' } })
    const page = await connectPage(worker, ORIGIN)
    expect(await page.call('sendBitcoin', RECIPIENT, 20_000)).toMatchObject({
      error: { data: { reason: 'BACKEND_UNAVAILABLE' } },
    })
  })
})

describe('the price of a bitcoin', () => {
  it('is asked for when a currency is chosen, and then every five minutes', async () => {
    server.say(allBut({ '/v1/prices': asJson({ time: 1, USD: 43_753, EUR: 40_545 }) }))
    expect((await worker.ui('getOverview', null)).price).toBeNull()
    expect(server.asked).not.toContain('GET /v1/prices')
    await worker.ui('changeSettings', { currency: 'EUR' })
    for (let time = 0; time < 3; time++) {
      expect((await worker.ui('getOverview', null)).price).toEqual({
        currency: 'EUR',
        perBitcoin: 40_545,
      })
    }
    expect(server.asked.filter(path => path === 'GET /v1/prices')).toHaveLength(1)
  })

  it('that no server names is not shown, and is no problem', async () => {
    server.say(allBut({}))
    await worker.ui('changeSettings', { currency: 'EUR' })
    expect(await worker.ui('getOverview', null)).toMatchObject({ price: null, problem: null })
  })
})

describe('choosing a server', () => {
  const choose = (url: unknown, kind: unknown = 'chain', network: unknown = 'regtest') =>
    worker.ui('setServer', { network, kind, url } as Parameters<typeof worker.ui<'setServer'>>[1])

  it.each<[string, unknown[]]>([
    ['no address', ['own.example']],
    ['an insecure one', ['http://own.example']],
    ['a number', [5]],
    ['another kind', ['https://own.example', 'everything']],
    ['another network', ['https://own.example', 'chain', 'dogecoin']],
  ])('%s is refused', async (_, params) => {
    await expect(choose(...(params as [string]))).rejects.toMatchObject({ code: -32602 })
    expect((await worker.ui('getState', null)).server.url).toBe(server.url)
  })

  it('changes what is shown and asked', async () => {
    const other = await startScriptedServer()
    try {
      other.say(allBut({}))
      await choose(other.url)
      expect((await worker.ui('getState', null)).server).toEqual({ url: other.url, custom: true })
      expect((await worker.ui('getOverview', null)).balance?.confirmed).toBe('1000')
      expect((await worker.ui('getServerStates', null))[0]).toMatchObject({
        state: 'synced',
        height: 7,
      })
      expect(server.asked).toEqual([])
      expect(await worker.ui('getServers', { network: 'regtest' })).toHaveLength(9)
      expect(
        await worker.ui('checkServer', { network: 'signet', kind: 'chain', url: other.url }),
      ).toMatchObject({ usable: false, problem: { kind: 'wrong-network' } })
    } finally {
      await other.close()
    }
  })
})
