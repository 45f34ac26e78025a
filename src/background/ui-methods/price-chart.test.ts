import { describe, expect, it } from 'vitest'
import { asJson, startScriptedServer } from '../../chain/testing/scripted-server.ts'
import { thinHistory } from '../settings/price-history.ts'
import {
  createWorld,
  fund,
  startUnlocked,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'
import type { ChartPoint, PriceChart } from '../views/price-chart-views.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** An account with a currency; blocks of the chain are ten minutes apart, and now is some time after the first of them. */
async function start(options: { hours?: number; world?: World } = {}) {
  const { hours = 12, world = createWorld() } = options
  world.clock.now += hours * HOUR
  const worker = await startUnlocked(world)
  await worker.ui('changeSettings', { currency: 'EUR' })
  const { accounts } = await worker.ui('getState', null)
  const address = accounts[0]?.address ?? ''
  const { now } = world.clock
  world.chain.faults.priceHistory = Array.from({ length: 40 * 24 }, (_, index) => ({
    at: now - (40 * 24 - index) * HOUR,
    perBitcoin: 80_000 + index,
  }))
  return { world, worker, address }
}

type Lines = Extract<PriceChart, { is: 'lines' }>

async function linesOf(worker: Worker): Promise<Lines> {
  const chart = await worker.ui('getPriceChart', null)
  if (chart.is !== 'lines') throw new Error(`no lines: ${chart.is}`)
  return chart
}

const satsOf = (points: readonly ChartPoint[]) => points.map(({ sats }) => sats)

describe('price and chart', () => {
  it('has for each hour of a day what the account held then, at the price of that time', async () => {
    const { world, worker, address } = await start()
    // In a block ten minutes after the first, and in one two hours after that.
    world.chain.mine(1)
    fund(world, address, 50_000n)
    world.chain.mine(12)
    fund(world, address, 7_000n)
    fund(world, address, 300n, { confirmed: false })
    const { currency, lines, problem } = await linesOf(worker)
    expect({ currency, problem }).toEqual({ currency: 'EUR', problem: null })
    const { day } = lines
    expect(day).toHaveLength(25)
    expect(day.at(-1)).toEqual({ at: world.clock.now, perBitcoin: 90_000, sats: '57300' })
    const hourAgo = { at: world.clock.now - HOUR, perBitcoin: 80_959, sats: '57000' }
    expect(day.at(-2)).toEqual(hourAgo)
    // The first block was found twelve hours ago.
    const then = ['0', '0', '0', '50000', '50000', '57000', '57000']
    expect(satsOf(day.slice(10, 17))).toEqual(then)
    expect(lines.week).toHaveLength(85)
    expect(lines.month).toHaveLength(91)
    // No price is older than forty days.
    expect(lines.year.length).toBeLessThan(10)
    for (const line of Object.values(lines))
      expect(line.map(({ at }) => at)).toEqual(line.map(({ at }) => at).sort((a, b) => a - b))
  })

  it('asks nobody while prices are switched off, nor for coins that have none', async () => {
    const { world, worker } = await start()
    world.chain.faults.unreachable = true
    await worker.ui('selectNetwork', { network: 'testnet4' })
    expect(await worker.ui('getPriceChart', null)).toEqual({ is: 'no-value' })
    await worker.ui('changeSettings', { currency: null })
    await worker.ui('selectNetwork', { network: 'regtest' })
    expect(await worker.ui('getPriceChart', null)).toEqual({ is: 'off' })
  })

  it('says that a server has no history, by its name', async () => {
    const { world, worker } = await start()
    world.chain.faults.priceHistory = null
    const host = '127.0.0.1:18480'
    expect(await worker.ui('getPriceChart', null)).toEqual({ is: 'no-history', host })
  })

  it('fails as everything does where the price server is away', async () => {
    const { world, worker } = await start()
    world.chain.faults.unreachable = true
    await expect(worker.ui('getPriceChart', null)).rejects.toMatchObject({
      ...{ code: -32000, data: { reason: 'BACKEND_UNAVAILABLE', kind: 'unreachable' } },
    })
  })

  it('has prices, and why there is no balance, where the chain server alone is away', async () => {
    const { world, worker } = await start()
    await linesOf(worker)
    world.chain.faults.unreachable = true
    const { lines, problem } = await linesOf(worker)
    expect(problem).toMatchObject({ kind: 'unreachable' })
    expect(new Set(satsOf(lines.day))).toEqual(new Set([null]))
  })

  it('never shows a balance that the history contradicts', async () => {
    const { world, worker, address } = await start()
    fund(world, address, 50_000n)
    world.chain.mine(1)
    const { fetchBalance } = world.chain.chain
    world.chain.chain.fetchBalance = async asked => ({
      ...(await fetchBalance(asked)),
      confirmed: 51_000n,
    })
    const { lines, problem } = await linesOf(worker)
    expect(problem).toMatchObject({ kind: 'nonsense', host: 'memory.test' })
    expect(new Set(satsOf(lines.day))).toEqual(new Set([null]))
  })

  it('asks again where a block came between balance and history', async () => {
    const { world, worker, address } = await start()
    fund(world, address, 50_000n)
    world.chain.mine(1)
    const { fetchBalance } = world.chain.chain
    let asked = 0
    world.chain.chain.fetchBalance = async of => {
      const balance = await fetchBalance(of)
      if (asked++ === 0) {
        fund(world, address, 8_000n)
        world.chain.mine(1)
      }
      return balance
    }
    const { lines, problem } = await linesOf(worker)
    expect(problem).toBeNull()
    expect(lines.day.at(-1)?.sats).toBe('58000')
  })

  it('asks for a few pages of a long history, says what it reaches, and goes on the next time', async () => {
    const world = createWorld()
    const { worker, address } = await start({ hours: 36, world })
    for (let paid = 0; paid < 200; paid++) {
      fund(world, address, 1_000n)
      world.chain.mine(1)
    }
    let pages = 0
    const { fetchHistory } = world.chain.chain
    world.chain.chain.fetchHistory = (of, after) => {
      pages++
      return fetchHistory(of, after)
    }
    const first = await linesOf(worker)
    expect(pages).toBeLessThanOrEqual(6)
    const { day, week } = first.lines
    expect(day.at(-2)?.sats).toBe('200000')
    // The newest 125 of 200 payments are known: what was held before is not.
    const known = satsOf(week).filter(sats => sats !== null)
    expect(week[0]?.sats).toBeNull()
    expect(Number(known[0])).toBeGreaterThanOrEqual(75_000)
    const second = await linesOf(worker)
    expect(second.lines.week[0]?.sats).toBe('0')
    expect(pages).toBeLessThanOrEqual(12)
  })

  it('asks the price server once in half an hour, and anew for another currency', async () => {
    const server = await startScriptedServer()
    try {
      const world = createWorld()
      world.clock.now = Date.now()
      await world.local.set({ servers: { regtest: server.url } })
      const worker = await startUnlocked(world)
      worker.wallet.chain = worker.wallet.servers.open
      const seconds = Math.floor(world.clock.now / 1000) - 60
      const series = (currency: string) =>
        asJson({ prices: [{ time: seconds, [currency]: 5, USD: 6 }], exchangeRates: {} })
      server.say({
        '/v1/historical-price?currency=EUR': series('EUR'),
        '/v1/historical-price?currency=CHF': series('CHF'),
      })
      const ask = () => worker.ui('getPriceChart', null)
      const asked = () => server.asked.filter(path => path.includes('historical')).length
      await worker.ui('changeSettings', { currency: 'EUR', autoLockMinutes: 60 })
      await Promise.all([ask(), ask()])
      await ask()
      expect(asked()).toBe(1)
      world.clock.now += 31 * 60_000
      await ask()
      expect(asked()).toBe(2)
      await worker.ui('changeSettings', { currency: 'CHF' })
      await ask()
      expect(asked()).toBe(3)
      for (const path of server.asked.filter(path => path.includes('price')))
        expect(path).toMatch(/^GET \/v1\/(prices|historical-price\?currency=[A-Z]{3})$/)
    } finally {
      await server.close()
    }
  })
})

describe('what is kept of a history', () => {
  it('is the last price of each hour of a month and of each day of a year', () => {
    const now = 1_800_000_000_000
    const every = (ms: number, from: number) =>
      Array.from({ length: Math.floor((now - from) / ms) }, (_, index) => ({
        ...{ at: from + index * ms, perBitcoin: index + 1 },
      }))
    const kept = thinHistory(
      [...every(10 * 60_000, now - 500 * DAY), { at: now + DAY, perBitcoin: 1 }],
      now,
    )
    expect(kept.length).toBeLessThanOrEqual(33 * 24 + 374)
    expect(kept.length).toBeGreaterThan(32 * 24 + 330)
    expect(kept.every(({ at }) => at <= now && at >= now - 375 * DAY)).toBe(true)
    expect(kept.at(-1)?.at).toBe(now - 10 * 60_000)
    const gaps = kept.slice(1).map(({ at }, index) => at - (kept[index]?.at ?? 0))
    expect(Math.max(...gaps)).toBe(DAY)
  })
})
