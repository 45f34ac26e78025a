import { describe, expect, it, vi } from 'vitest'
import { openBrowser } from '../testing/mortal-browser.ts'
import { guardFetch, type Stop, saveWorld } from '../testing/mortal-worker.ts'
import { PASSWORD, startWorker } from '../testing/test-wallet.ts'
import { payTo, startNotified } from './testing/notified-wallet.ts'

vi.stubGlobal('fetch', guardFetch(fetch))

/** A wallet to which a payment has come that nobody told of, for as many browsers as wanted. */
async function prepare() {
  const { world, account } = await startNotified()
  const before = saveWorld(world)
  const txid = payTo(world, account.address, 5_000n)
  const after = saveWorld(world)
  return { before, txid, makeWorld: after }
}

describe('a background that dies while it tells of a payment', () => {
  it('tells of it all the same, and once, whichever of its steps was the last', async () => {
    const { makeWorld, txid } = await prepare()
    const whole = openBrowser(makeWorld(), null)
    await whole.worker().run(() => whole.worker().wallet.notify('look'))
    await whole.whenQuiet()
    const points = whole.worker().life.spare()
    expect(whole.world().notifications.log).toHaveLength(1)
    whole.close()
    // The address, its history, what is told, the notification, and that it was shown.
    expect(points.filter(point => point.startsWith('notices.show'))).toHaveLength(1)
    expect(points.filter(point => point.includes('notifications.told'))).toHaveLength(2)
    const stops: Stop[] = points.flatMap((_, at) => [
      { at, when: 'before' as const },
      { at, when: 'after' as const },
    ])
    const counts: number[] = []
    for (const stop of stops) {
      const browser = openBrowser(makeWorld(), stop)
      const first = browser.worker()
      void first.run(() => first.wallet.notify('look')).catch(() => {})
      await browser.restarted
      await browser.whenQuiet()
      const next = browser.worker()
      for (let alarms = 0; alarms < 2; alarms++) await next.run(() => next.wallet.notify('look'))
      const { log, shown } = browser.world().notifications
      counts.push(log.length)
      expect([...shown.keys()].join(), `${stop.when} ${points[stop.at]}`).toContain(txid)
      browser.close()
    }
    expect(counts).toEqual(stops.map(() => 1))
  }, 120_000)

  it('that was shown and dismissed in that moment comes a second time rather than not at all', async () => {
    const { makeWorld } = await prepare()
    const world = makeWorld()
    const { show } = world.notifications.notices
    world.notifications.notices.show = async notice => {
      await show(notice)
      world.notifications.shown.clear()
      await new Promise(() => {})
    }
    const dying = startWorker(world)
    void dying.wallet.notify('look')
    await vi.waitFor(() => expect(world.notifications.log).toHaveLength(1))
    world.notifications.notices.show = show
    const next = startWorker(world)
    await next.wallet.notify('look')
    await next.wallet.notify('look')
    expect(world.notifications.log).toHaveLength(2)
    expect(new Set(world.notifications.log.map(({ id }) => id)).size).toBe(1)
    expect(await next.ui('unlock', { password: PASSWORD })).toMatchObject({ unlocked: true })
  })
})
