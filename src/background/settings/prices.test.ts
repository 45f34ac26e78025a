import { expect, it } from 'vitest'
import { createWorld, PASSWORD, startUnlocked } from '../testing/test-wallet.ts'

it('a price and the prices of the past are asked for again where the clock was set back since', async () => {
  const world = createWorld()
  const worker = await startUnlocked(world)
  await worker.ui('changeSettings', { currency: 'USD' })
  const past = (perBitcoin: number) => [{ at: world.clock.now - 3_600_000, perBitcoin }]
  world.chain.faults.prices = { USD: 100_000 }
  world.chain.faults.priceHistory = past(90_000)
  const priceOf = async () => (await worker.ui('getOverview', null)).price?.perBitcoin
  const lastOf = async () => {
    const chart = await worker.ui('getPriceChart', null)
    return chart.is === 'lines' ? chart.lines.day.map(({ perBitcoin }) => perBitcoin) : []
  }
  expect([await priceOf(), await lastOf()]).toEqual([100_000, [90_000, 100_000]])
  world.clock.now -= 24 * 3_600_000
  await worker.ui('unlock', { password: PASSWORD })
  world.chain.faults.prices = { USD: 50_000 }
  world.chain.faults.priceHistory = past(60_000)
  expect([await priceOf(), await lastOf()]).toEqual([50_000, [60_000, 50_000]])
})
