import { describe, expect, it, vi } from 'vitest'
import { openBrowser } from '../testing/mortal-browser.ts'
import { guardFetch, type Stop, saveWorld } from '../testing/mortal-worker.ts'
import type { World } from '../testing/test-wallet.ts'
import { startNotified } from './testing/notified-wallet.ts'

vi.stubGlobal('fetch', guardFetch(fetch))

const LOW = 'Regtest: Fees are low | Below your limit of 5 sat/vB.'
const MINUTE = 60_000

/** What the server says that a payment within half an hour costs. */
function setRate({ chain }: World, halfHour: number): void {
  chain.faults.fees = { fastest: halfHour * 2, halfHour, hour: halfHour / 2, minimum: 0.1 }
}

async function startAlerted(feeAlert: number | null = 5) {
  const notified = await startNotified()
  const { world, worker, wake } = notified
  setRate(world, 20)
  await worker.ui('changeSettings', { feeAlert })
  return {
    ...notified,
    /** The alarm, `minutes` after the last one, while the rate is this. */
    async wakeAt(rate: number, minutes = 10): Promise<string[]> {
      world.clock.now += minutes * MINUTE
      setRate(world, rate)
      return wake()
    },
  }
}

describe('a fee that the person wants to be told of', () => {
  it('is told of once when the rate has come under it, and again after it rose above', async () => {
    const { wakeAt, world } = await startAlerted()
    expect(await wakeAt(20)).toEqual([])
    expect(await wakeAt(5), 'not under it').toEqual([])
    expect(await wakeAt(4.9)).toEqual([LOW])
    for (const rate of [4.8, 1, 5, 5.4, 4.9]) expect(await wakeAt(rate), `${rate}`).toEqual([])
    expect(await wakeAt(5.6)).toEqual([])
    expect(await wakeAt(4)).toEqual([LOW])
    const ids = world.notifications.log.map(({ id }) => id)
    expect(new Set(ids).size, 'each its own').toBe(2)
  })

  it('leads to the merging of coins', async () => {
    const { wakeAt, world, worker } = await startAlerted()
    await wakeAt(1)
    await worker.wallet.notifications.open(world.notifications.log[0]?.id ?? '')
    expect(world.notifications.opened).toEqual(['/coins/merge'])
  })

  it('asks the server at most every ten minutes, and never where none is set or notifications are off', async () => {
    const { wakeAt, world, worker } = await startAlerted()
    const asked = vi.spyOn(world.chain.chain, 'fetchFeeRates')
    await wakeAt(20)
    for (let at = 0; at < 9; at++) expect(await wakeAt(1, 1)).toEqual([])
    expect(asked).toHaveBeenCalledTimes(1)
    expect(await wakeAt(1, 1)).toEqual([LOW])
    expect(asked).toHaveBeenCalledTimes(2)
    await worker.ui('changeSettings', { feeAlert: null })
    await wakeAt(20)
    await wakeAt(1)
    await worker.ui('changeSettings', { feeAlert: 5 })
    await worker.ui('setNotifications', { on: false })
    await wakeAt(1)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('is told of as another one where it was changed, and while the wallet is locked too', async () => {
    const { wakeAt, worker } = await startAlerted()
    expect(await wakeAt(4)).toEqual([LOW])
    await worker.ui('changeSettings', { feeAlert: 3 })
    expect(await wakeAt(4)).toEqual([])
    await worker.ui('lock', null)
    expect(await wakeAt(2.999)).toEqual([LOW.replace('5 sat', '3 sat')])
  })

  it('waits where the server does not answer, and tells nothing of what it said before', async () => {
    const { wakeAt, world } = await startAlerted()
    await wakeAt(20)
    world.chain.faults.unreachable = true
    expect(await wakeAt(1)).toEqual([])
    world.chain.faults.unreachable = false
    expect(await wakeAt(20, 1)).toEqual([])
    expect(await wakeAt(1)).toEqual([LOW])
  })

  it('is refused where it is no fee rate', async () => {
    const { worker } = await startAlerted(null)
    for (const feeAlert of [0, 0.05, -1, 10_001, 1.2345, Number.NaN, '5', true])
      await expect(
        worker.ui('changeSettings', { feeAlert } as { feeAlert: number }),
      ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('feeAlert') })
    expect((await worker.ui('getState', null)).settings.feeAlert).toBeNull()
  })
})

describe('a background that dies while it tells of a fee', () => {
  it('tells of it all the same, and once, whichever of its steps was the last', async () => {
    const { world, wakeAt } = await startAlerted()
    await wakeAt(20)
    world.clock.now += 10 * MINUTE
    setRate(world, 1)
    const makeWorld = saveWorld(world)
    const begin = (stop: Stop | null) => {
      const browser = openBrowser(makeWorld(), stop)
      setRate(browser.world(), 1)
      return browser
    }
    const whole = begin(null)
    await whole.worker().run(() => whole.worker().wallet.notify('look'))
    await whole.whenQuiet()
    const points = whole.worker().life.spare()
    expect(whole.world().notifications.log).toHaveLength(1)
    whole.close()
    expect(points.filter(point => point.includes('notifications.told'))).toHaveLength(2)
    const stops = points.flatMap((_, at): Stop[] => [
      { at, when: 'before' },
      { at, when: 'after' },
    ])
    for (const stop of stops) {
      const browser = begin(stop)
      const first = browser.worker()
      void first.run(() => first.wallet.notify('look')).catch(() => {})
      await browser.restarted
      await browser.whenQuiet()
      const next = browser.worker()
      for (let alarms = 0; alarms < 2; alarms++) await next.run(() => next.wallet.notify('look'))
      expect(browser.world().notifications.log, `${stop.when} ${points[stop.at]}`).toHaveLength(1)
      browser.close()
    }
  }, 120_000)
})
