import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  asJson,
  type ScriptedServer,
  startScriptedServer,
} from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createFeeSource, createPriceSource } from './mempool-space.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

describe('fee rates', () => {
  const fetchFeeRates = () => createFeeSource(server.url, createTestAccess().access).fetchFeeRates()

  it('are mempool.space’s where the server has them', async () => {
    server.say({
      '/v1/fees/precise': {
        body: '{"fastestFee":2.0231,"halfHourFee":1.094,"hourFee":0.502,"minimumFee":0.1}',
      },
    })
    expect(await fetchFeeRates()).toEqual({
      fastest: 2.024,
      halfHour: 1.094,
      hour: 0.502,
      minimum: 0.1,
    })
  })

  it.each([200, 203])('are Esplora’s estimates elsewhere, answered %i', async status => {
    server.say({ '/fee-estimates': { status, body: '{"1":20,"3":10.5,"6":5,"1008":1}' } })
    expect(await fetchFeeRates()).toEqual({ fastest: 20, halfHour: 10.5, hour: 5, minimum: 1 })
  })

  it.each(['-1', '1e9', 'null', '"9"', '[]'])('of %s are refused', async value => {
    server.say({
      '/v1/fees/precise': {
        body: `{"fastestFee":${value},"halfHourFee":1,"hourFee":1,"minimumFee":1}`,
      },
    })
    expect(await problemOf(fetchFeeRates())).toMatchObject({ kind: 'nonsense', host: server.host })
  })
})

describe('prices', () => {
  const fetchPrices = () => createPriceSource(server.url, createTestAccess().access).fetchPrices()

  it('are those of the currencies that the server has one for', async () => {
    server.say({
      '/v1/prices': asJson({ time: 1_703_252_411, USD: 43_753, EUR: 40_545.5, JPY: -1, GBP: 0 }),
    })
    expect(await fetchPrices()).toEqual({ USD: 43_753, EUR: 40_545.5 })
  })

  it.each([
    ['below 0', { USD: -43_753 }],
    ['of text', { USD: '43753' }],
    ['beyond all reason', { USD: 1e13 }],
  ])('%s are refused', async (_, prices) => {
    server.say({ '/v1/prices': asJson({ time: 1, ...prices }) })
    expect(await problemOf(fetchPrices())).toMatchObject({ kind: 'nonsense' })
  })
})

describe('the history of prices', () => {
  const path = '/v1/historical-price?currency=EUR'
  const fetchHistory = () =>
    createPriceSource(server.url, createTestAccess().access).fetchPriceHistory('EUR')
  const rows = (...prices: unknown[]) => asJson({ prices, exchangeRates: { USDEUR: 0.92 } })

  it('is that of the currency, oldest first, without the times that have no price', async () => {
    server.say({
      [path]: rows(
        { time: 1_703_257_200, EUR: 40_545.5, USD: 43_753 },
        { time: 1_703_253_600, EUR: -1, USD: 43_700 },
        { time: 1_703_250_000, EUR: 0, USD: 43_600 },
        { time: 1_499_904_000, EUR: 1964, USD: 2254.9 },
      ),
    })
    expect(await fetchHistory()).toEqual([
      { at: 1_499_904_000_000, perBitcoin: 1964 },
      { at: 1_703_257_200_000, perBitcoin: 40_545.5 },
    ])
  })

  it.each<[string, Answer]>([
    ['has no such call', { status: 404, body: 'Not Found' }],
    ['does not know the currency', { body: '' }],
    ['says null', { body: 'null' }],
    ['never saw a price', rows()],
    ['has only times without a price', rows({ time: 5, EUR: -1, USD: 3 })],
  ])('is none where the server %s', async (_, answer) => {
    server.say({ [path]: answer })
    expect(await fetchHistory()).toBeNull()
  })

  it.each<[string, Answer, string]>([
    ['in another currency', rows({ time: 5, USD: 3 }), 'prices[0].EUR'],
    ['below 0', rows({ time: 5, EUR: -3 }), 'prices[0].EUR'],
    ['of text', rows({ time: 5, EUR: '3' }), 'prices[0].EUR'],
    ['of null, as JSON writes NaN', rows({ time: 5, EUR: null }), 'prices[0].EUR'],
    ['beyond all reason', rows({ time: 5, EUR: 1e13 }), 'prices[0].EUR'],
    ['of no time', rows({ EUR: 3 }), 'prices[0].time'],
    ['of a fraction of a second', rows({ time: 5.5, EUR: 3 }), 'prices[0].time'],
    ['of the same time twice', rows({ time: 5, EUR: 3 }, { time: 5, EUR: 4 }), 'prices[1].time'],
    ['in no order', rows({ time: 5, EUR: 3 }, { time: 6, EUR: 4 }), 'prices[1].time'],
    ['that are no list', asJson({ prices: { 0: { time: 5, EUR: 3 } } }), 'prices'],
    ['that are a list alone', asJson([{ time: 5, EUR: 3 }]), 'the price history'],
    ['on a web page', { body: '<html>Log in to WiFi</html>' }, 'not JSON'],
    [
      'without end',
      { body: `{"prices":[${'0,'.repeat(180_000)}0]}` },
      'prices is not a list of at most 180000',
    ],
  ])('with prices %s is refused, and the field is named', async (_, answer, detail) => {
    server.say({ [path]: answer })
    expect(await problemOf(fetchHistory())).toMatchObject({
      kind: 'nonsense',
      host: server.host,
      detail: expect.stringContaining(detail),
    })
  })

  it('tells the server the currency, and nothing else', async () => {
    server.say({ [path]: rows({ time: 5, EUR: 3 }) })
    await fetchHistory()
    expect(server.asked).toEqual([`GET ${path}`])
  })
})
