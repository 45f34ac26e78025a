import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { launch, type Wallet } from '../driver/driver.ts'
import { startDappServer } from '../fixtures/dapp-server.ts'
import { launchBareChromium } from './bare-chromium.ts'
import { measureScripts, measureWorkerHeap, measureWorkerScripts } from './debugging.ts'
import { countFigure, type Figure, sampleFigure } from './figure.ts'
import { measureHeaps, measureLoads, withFreshTab } from './page-figures.ts'

const OWN = resolve(import.meta.dirname, '../../dist/chrome')
const PAIRS = 40
const OPENINGS = 9
const SCREEN_MS = 3000
/** What an extension does when it is installed, such as opening a page of welcome. */
const SETTLE_MS = 3000

const PAGE = '<!doctype html><title>Plain page</title><h1>Plain page</h1>'

/** What is used of a manifest. */
type Manifest = {
  name?: string
  manifest_version?: number
  background?: { service_worker?: string }
  action?: { default_popup?: string }
}

/**
 * What extensions that a person has cost, by the same method as our own build, which comes first: each folder in `dir` that has a
 * manifest of version 3, unpacked. Throws where there is none.
 */
export async function measurePeers(dir: string | null): Promise<Figure[]> {
  if (dir === null)
    throw new Error('Which ones? npm run bench -- peers --dir FOLDER, with a folder for each')
  const peers = listExtensions(dir)
  if (peers.length === 0)
    throw new Error(`No folder in ${dir} has a manifest.json of manifest version 3`)
  const figures: Figure[] = []
  for (const folder of [OWN, ...peers]) figures.push(...(await measureExtension(folder)))
  return figures
}

/** Folders with an extension that Chromium still takes, in the order of their names. */
export function listExtensions(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => join(resolve(dir), name))
    .filter(folder => readManifest(folder)?.manifest_version === 3)
    .sort()
}

function readManifest(folder: string): Manifest | null {
  const path = join(folder, 'manifest.json')
  if (!existsSync(path)) return null
  // Stores hand out files that begin with a byte order mark.
  return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as Manifest
}

async function measureExtension(folder: string): Promise<Figure[]> {
  const manifest = readManifest(folder) ?? {}
  const name = folder === OWN ? 'Satchel' : (folder.split('/').at(-1) ?? folder)
  const server = await startDappServer({ pages: { '/plain.html': PAGE } })
  const url = `${server.url}plain.html`
  const bare = await launchBareChromium()
  const wallet = await launch({ browser: 'chromium', extensionDir: folder })
  try {
    await new Promise(resolve => setTimeout(resolve, SETTLE_MS))
    const injected = await withFreshTab(wallet.browser, page =>
      measureScripts(page, wallet.extensionUrl, () => page.goto(url)),
    )
    const load = await measureLoads(wallet.browser, bare.browser, url, PAIRS)
    const heap = await measureHeaps(wallet.browser, bare.browser, url)
    const kB = (label: string, bytes: number) =>
      countFigure({ name: `${name}: ${label}`, unit: 'kB' }, bytes / 1000)
    return [
      kB('JS in every page, raw', injected.raw),
      sampleFigure({ name: `${name}: added page load`, unit: 'ms' }, load.added),
      sampleFigure({ name: `${name}: added page heap`, unit: 'KiB' }, heap),
      ...(manifest.background?.service_worker ? await measureWorker(wallet, name, kB) : []),
      ...(await measurePopup(wallet, name, manifest.action?.default_popup, kB)),
    ]
  } finally {
    await wallet.close()
    await bare.close()
    await server.stop()
  }
}

type Size = (label: string, bytes: number) => Figure

async function measureWorker(wallet: Wallet, name: string, kB: Size): Promise<Figure[]> {
  const scripts = await measureWorkerScripts(wallet)
  const { used } = await measureWorkerHeap(wallet)
  return [
    kB('worker JS, raw', scripts.raw),
    countFigure({ name: `${name}: worker heap, idle`, unit: 'MiB' }, used / 1024 / 1024),
  ]
}

/** The page of the toolbar button, opened as a tab. */
async function measurePopup(
  wallet: Wallet,
  name: string,
  path: string | undefined,
  kB: Size,
): Promise<Figure[]> {
  if (path === undefined) return []
  const url = new URL(path, wallet.extensionUrl).href
  const scripts = await withFreshTab(wallet.browser, page =>
    measureScripts(page, wallet.extensionUrl, async () => {
      await page.goto(url)
      await new Promise(resolve => setTimeout(resolve, SCREEN_MS))
    }),
  )
  const painted: number[] = []
  for (let opening = 0; opening < OPENINGS; opening++)
    painted.push(await withFreshTab(wallet.browser, page => readFirstPaint(page, url)))
  return [
    kB('first screen JS, gzip', scripts.gzip),
    sampleFigure({ name: `${name}: first contentful paint`, unit: 'ms' }, painted),
  ]
}

type Tab = Parameters<Parameters<typeof withFreshTab>[1]>[0]

async function readFirstPaint(page: Tab, url: string): Promise<number> {
  await page.bringToFront()
  await page.goto(url)
  const read = `new Promise((resolve, reject) => {
    const look = () => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      if (paint) resolve(paint.startTime)
      else if (performance.now() > 30_000) reject(new Error('Nothing was painted'))
      else setTimeout(look, 5)
    }
    look()
  })`
  return Number(await page.evaluate(read))
}
