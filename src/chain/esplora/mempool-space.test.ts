import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
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
