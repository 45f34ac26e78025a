import type { Dapp } from '../driver/driver.ts'
import { startWorld, type World } from '../fixtures/world.ts'
import { watchWorkerHeap } from './debugging.ts'
import { countFigure, describeSamples, type Figure } from './figure.ts'

/** What a page sends at once; `calls` times a text of `length` characters, which is no PSBT. */
type Flood = { what: string; calls: number; length: number }

const FLOODS: readonly Flood[] = [
  { what: 'a signPsbts of 20 MB', calls: 1, length: 20_000_000 },
  { what: '50 signPsbts of 4.8 MB at once', calls: 50, length: 4_790_000 },
  { what: '2,000 calls at once', calls: 2_000, length: 10 },
]

/**
 * What a page that nobody has connected costs others: how long a connected site waits for its calls meanwhile, and the most
 * that the worker's heap was seen to hold.
 */
export async function measureFloods(): Promise<Figure[]> {
  const world = await startWorld('chromium')
  try {
    const figures: Figure[] = []
    const victim = await world.openConnected()
    figures.push(...(await measureFlood(world, victim, { what: 'nothing', calls: 0, length: 0 })))
    for (const flood of FLOODS) figures.push(...(await measureFlood(world, victim, flood)))
    return figures
  } finally {
    await world.stop()
  }
}

async function measureFlood(world: World, victim: Dapp, flood: Flood): Promise<Figure[]> {
  const { wallet, otherSite } = world
  const stranger = await wallet.openDapp(`${otherSite}plain.html`)
  // What the flood before has used up comes back.
  await new Promise(resolve => setTimeout(resolve, 15_000))
  const { result, peak } = await watchWorkerHeap(wallet, async () => {
    const waits = victim.evaluate(callFor, 6_000)
    await new Promise(resolve => setTimeout(resolve, 500))
    const codes = await stranger.evaluate(sendAtOnce, flood.calls, flood.length)
    return { waits: await waits, codes }
  })
  await stranger.close()
  const { median } = describeSamples(result.waits)
  const name = `a connected site’s call while a stranger sends ${flood.what}`
  const note = `answered ${JSON.stringify(result.codes)}`
  return [
    countFigure({ name: `${name}: median`, unit: 'ms', note }, median),
    countFigure({ name: `${name}: longest`, unit: 'ms' }, Math.max(...result.waits)),
    countFigure({ name: `${name}: most heap of the worker`, unit: 'MiB' }, peak / 1024 / 1024),
  ]
}

type Provider = { [name: string]: (...params: unknown[]) => Promise<unknown> }

/** Runs in the page: milliseconds of each call, one after the other with a rest of 15 ms, for so long. */
async function callFor(ms: number): Promise<number[]> {
  const { bitcoin } = (globalThis as unknown as { satchel: { bitcoin: Provider } }).satchel
  const times: number[] = []
  const end = performance.now() + ms
  while (performance.now() < end) {
    const start = performance.now()
    await bitcoin.getAccounts?.()
    times.push(performance.now() - start)
    await new Promise(resolve => setTimeout(resolve, 15))
  }
  return times
}

/** Runs in the page: how many calls ended with which code. */
async function sendAtOnce(calls: number, length: number): Promise<{ [code: string]: number }> {
  const { bitcoin } = (globalThis as unknown as { satchel: { bitcoin: Provider } }).satchel
  const text = 'zz'.repeat(length / 2)
  const codes: { [code: string]: number } = {}
  const outcomes = await Promise.allSettled(
    Array.from({ length: calls }, () => bitcoin.signPsbts?.([text])),
  )
  for (const outcome of outcomes) {
    const code = outcome.status === 'rejected' ? String(Object(outcome.reason).code) : 'result'
    codes[code] = (codes[code] ?? 0) + 1
  }
  return codes
}
