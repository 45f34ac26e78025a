import type { Dapp, Wallet } from '../driver/driver.ts'
import { startDappServer } from '../fixtures/dapp-server.ts'
import { connectPage, startWorld } from '../fixtures/world.ts'
import { countFigure, type Figure } from './figure.ts'

const TABS = 50
const CALLS = 200
/** The wallet gives each site 2,000 calls at once, so that ten tabs of each may have an answer. */
const SITES = 5
/** Enough for each tab to hear when all of them begin. */
const HEAD_START_MS = 3_000
/** What a burst has used up of a site's calls comes back, 100 a second. */
const BETWEEN_BURSTS_MS = 25_000
const BURSTS = 3

/** `getAccounts` from many tabs at once: of a few connected sites, each within what it may ask, and of a single one. */
export async function measureTabs(): Promise<Figure[]> {
  const world = await startWorld('chromium')
  const pages = { '/plain.html': '<!doctype html><title>Dapp</title><h1>Dapp</h1>' }
  const servers = await Promise.all(Array.from({ length: SITES }, () => startDappServer({ pages })))
  try {
    const sites = servers.map(({ url }) => url)
    for (const site of sites) await (await connectPage(world.wallet, site)).close()
    const figures = await measureBursts(world.wallet, sites)
    return [...figures, ...(await measureBursts(world.wallet, sites.slice(0, 1)))]
  } finally {
    await world.stop()
    await Promise.all(servers.map(server => server.stop()))
  }
}

async function measureBursts(wallet: Wallet, sites: readonly string[]): Promise<Figure[]> {
  const tabs: Dapp[] = []
  for (let at = 0; at < TABS; at++)
    tabs.push(await wallet.openDapp(`${sites[at % sites.length]}plain.html`))
  const bursts: Burst[] = []
  for (let at = 0; at < BURSTS; at++) {
    await new Promise(resolve => setTimeout(resolve, BETWEEN_BURSTS_MS))
    bursts.push(await callFromAll(tabs))
  }
  for (const tab of tabs) await tab.close()
  const seconds = bursts.map(({ ms }) => ms / 1000).toSorted((a, b) => a - b)
  const whose = sites.length === 1 ? 'one connected site' : `${sites.length} connected sites`
  const calls = (TABS * CALLS).toLocaleString('en')
  const note = `answered ${bursts.map(({ ends }) => JSON.stringify(ends)).join(', ')}; ${seconds.map(s => s.toFixed(2)).join(', ')} s`
  return [
    countFigure(
      {
        name: `${calls} calls from ${TABS} tabs of ${whose}: until the last is answered`,
        unit: 's',
        aim: 2,
        note,
      },
      seconds[Math.floor(seconds.length / 2)] ?? 0,
    ),
  ]
}

/** Milliseconds from the first call to the last answer, and how many calls ended how: `accounts`, or the code of an error. */
type Burst = { ms: number; ends: { [end: string]: number } }

async function callFromAll(tabs: readonly Dapp[]): Promise<Burst> {
  const start = Date.now() + HEAD_START_MS
  const parts = await Promise.all(tabs.map(tab => tab.evaluate(callTogether, start, CALLS)))
  const ends: Burst['ends'] = {}
  for (const part of parts) {
    for (const [end, count] of Object.entries(part.ends)) ends[end] = (ends[end] ?? 0) + count
  }
  const first = Math.min(...parts.map(({ called }) => called))
  return { ms: Math.max(...parts.map(({ answered }) => answered)) - first, ends }
}

/** Runs in the page; all of them have the machine's clock. */
async function callTogether(start: number, calls: number) {
  type Provider = { getAccounts(): Promise<string[]> }
  const { bitcoin } = (globalThis as unknown as { satchel: { bitcoin: Provider } }).satchel
  await new Promise(resolve => setTimeout(resolve, start - Date.now()))
  const called = Date.now()
  const outcomes = await Promise.allSettled(
    Array.from({ length: calls }, () => bitcoin.getAccounts()),
  )
  const answered = Date.now()
  const ends: { [end: string]: number } = {}
  for (const outcome of outcomes) {
    const isWhole = outcome.status === 'fulfilled' && outcome.value.length === 1
    const end = isWhole ? 'accounts' : String(Object(Object(outcome).reason).code)
    ends[end] = (ends[end] ?? 0) + 1
  }
  return { called, answered, ends }
}
