import type { Dapp } from '../driver/driver.ts'
import type { BrowserName } from '../driver/engine.ts'
import { startWorld } from '../fixtures/world.ts'
import { measureWorkerHeap } from './debugging.ts'
import { countFigure, type Figure, sampleFigure } from './figure.ts'
import { countPresent, PRESENCE_PAGE } from './page-figures.ts'

const WARM_UP_CALLS = 20
const WARM_CALLS = 200
const COLD_ROUNDS = 20
const BURST_CALLS = 1000
const BURSTS = 3
/** The wallet gives each site 2,000 calls at once and 100 more a second: each burst starts with room for it. */
const BETWEEN_BURSTS_MS = 12_000
const FIREFOX_LOADS = 50

/** `getAccounts` from a connected page of an unlocked wallet: warm, many at once, and with the background stopped. */
export async function measureCalls(browser: BrowserName): Promise<Figure[]> {
  const world = await startWorld(browser, { pages: { '/presence.html': PRESENCE_PAGE } })
  const { wallet } = world
  const suffix = browser === 'firefox' ? ', Firefox' : ''
  // The peers were measured in Chromium only.
  const compared = (aim: number, peer: number) => (browser === 'firefox' ? {} : { aim, peer })
  try {
    const figures: Figure[] = []
    if (browser === 'firefox') {
      const name = `provider before first script, of ${FIREFOX_LOADS}${suffix}`
      const present = await countPresent(
        wallet.browser,
        `${world.site}presence.html`,
        FIREFOX_LOADS,
      )
      figures.push(countFigure({ name, unit: '', aim: FIREFOX_LOADS }, present))
    }

    const dapp = await world.openConnected()
    await timeCalls(dapp, WARM_UP_CALLS)
    const warm = await timeCalls(dapp, WARM_CALLS)
    const mean = warm.reduce((total, ms) => total + ms, 0) / warm.length
    figures.push(
      sampleFigure(
        {
          name: `warm call${suffix}`,
          unit: 'ms',
          ...compared(0.8, 1.4),
          note: `mean ${mean.toFixed(2)}`,
        },
        warm,
      ),
    )

    const bursts: { ms: number; ok: number; rejected: number }[] = []
    for (let i = 0; i < BURSTS; i++) {
      await new Promise(resolve => setTimeout(resolve, BETWEEN_BURSTS_MS))
      bursts.push(await dapp.evaluate(callAtOnce, BURST_CALLS))
    }
    const sum = (key: 'ok' | 'rejected') => bursts.map(burst => burst[key]).join(', ')
    figures.push(
      sampleFigure(
        {
          name: `1,000 calls at once${suffix}`,
          unit: 's',
          ...compared(0.2, 1.69),
          note: `answered ${sum('ok')}; rejected ${sum('rejected')}`,
        },
        bursts.map(({ ms }) => ms / 1000),
      ),
    )

    const cold: number[] = []
    let stillDown = 0
    for (let i = 0; i < COLD_ROUNDS; i++) {
      await wallet.killBackground()
      if (!(await wallet.isBackgroundRunning())) stillDown++
      cold.push(...(await timeCalls(dapp, 1)))
    }
    figures.push(
      sampleFigure(
        {
          name: `call after the worker stopped${suffix}`,
          unit: 'ms',
          ...compared(60, 172),
          note: `down at the call in ${stillDown}`,
        },
        cold,
      ),
    )

    if (browser === 'chromium') {
      const { used } = await measureWorkerHeap(wallet)
      figures.push(
        countFigure({ name: 'worker heap, unlocked and in use', unit: 'MiB' }, used / 1024 / 1024),
      )
    }
    return figures
  } finally {
    await world.stop()
  }
}

async function timeCalls(dapp: Dapp, calls: number): Promise<number[]> {
  return dapp.evaluate(callInTurn, calls)
}

type Provider = { getAccounts(): Promise<string[]> }

/** Runs in the page: milliseconds of each call; throws when one is not answered with the account. */
async function callInTurn(calls: number): Promise<number[]> {
  const { bitcoin } = (globalThis as unknown as { satchel: { bitcoin: Provider } }).satchel
  const times: number[] = []
  for (let i = 0; i < calls; i++) {
    const start = performance.now()
    const accounts = await bitcoin.getAccounts()
    times.push(performance.now() - start)
    if (accounts.length !== 1) throw new Error(`getAccounts gave ${accounts.length} addresses`)
  }
  return times
}

/** Runs in the page. */
async function callAtOnce(calls: number): Promise<{ ms: number; ok: number; rejected: number }> {
  const { bitcoin } = (globalThis as unknown as { satchel: { bitcoin: Provider } }).satchel
  const start = performance.now()
  const outcomes = await Promise.allSettled(
    Array.from({ length: calls }, () => bitcoin.getAccounts()),
  )
  const ms = performance.now() - start
  const ok = outcomes.filter(outcome => outcome.status === 'fulfilled').length
  return { ms, ok, rejected: calls - ok }
}
