import type { Browser, Page } from 'puppeteer-core'
import { launch } from '../driver/driver.ts'
import { closeWelcomeTab } from '../driver/welcome-tab.ts'
import { startDappServer } from '../fixtures/dapp-server.ts'
import { launchBareChromium } from './bare-chromium.ts'
import {
  measurePageHeap,
  measureScripts,
  measureScriptTime,
  measureWorkerHeap,
  measureWorkerScripts,
} from './debugging.ts'
import { launchEmptyExtension } from './empty-extension.ts'
import { countFigure, describeSamples, type Figure, sampleFigure } from './figure.ts'

const LOADS = 50
const PAIRS = 60
const CLOSE_PAIRS = 200
const UNCOUNTED_PAIRS = 3
const TAB_REST_MS = 150
const TRACED_PAIRS = 30
const HEAP_PAIRS = 5
const HEAP_READINGS = 5

/** The first thing in its head is a script that looks for the provider. */
const PAGE = `<!doctype html><html><head>
<script>window.presentAtFirst = typeof window.satchel?.bitcoin?.connect === 'function'</script>
<title>Plain page</title></head><body><h1>Plain page</h1><p>It uses no wallet.</p></body></html>`

/** The same without a look at the wallet, as nearly all pages are. */
const INDIFFERENT_PAGE = PAGE.replace(/<script>.*<\/script>/, '')

/** What a page that uses no wallet pays for it, in Chromium, and what the idle worker holds. */
export async function measurePageCost(): Promise<Figure[]> {
  const server = await startDappServer({
    pages: { '/plain.html': PAGE, '/indifferent.html': INDIFFERENT_PAGE },
  })
  const url = `${server.url}plain.html`
  const indifferent = `${server.url}indifferent.html`
  const bare = await launchBareChromium()
  const empty = await launchEmptyExtension()
  const wallet = await launch({ browser: 'chromium' })
  try {
    await closeWelcomeTab(wallet)
    const present = await countPresent(wallet.browser, url, LOADS)
    const load = await measureLoads(wallet.browser, bare.browser, url, PAIRS)
    const beyond = await measureLoads(wallet.browser, empty.browser, url, CLOSE_PAIRS)
    const unlookedLoad = await measureLoads(wallet.browser, empty.browser, indifferent, CLOSE_PAIRS)
    const scripts = await measureScriptTimes(wallet.browser, empty.browser, [indifferent])
    const nextScripts = await measureScriptTimes(wallet.browser, empty.browser, [
      `${indifferent}?first`,
      indifferent,
    ])
    const heap = await measureHeaps(wallet.browser, bare.browser, url)
    const emptyHeap = describeSamples(await measureHeaps(empty.browser, bare.browser, url)).median
    const unlooked = await measureHeaps(wallet.browser, empty.browser, indifferent)
    const idle: { used: number; buffers: number }[] = []
    for (let i = 0; i < HEAP_READINGS; i++) {
      await new Promise(resolve => setTimeout(resolve, 500))
      idle.push(await measureWorkerHeap(wallet))
    }
    const injected = await withFreshTab(wallet.browser, page =>
      measureScripts(page, wallet.extensionUrl, () => page.goto(url)),
    )
    const worker = await measureWorkerScripts(wallet)
    return [
      countFigure(
        {
          name: 'JS in every page, raw',
          unit: 'kB',
          aim: 16,
          peer: 27.5,
          note: gzipNote(injected),
        },
        injected.raw / 1000,
      ),
      countFigure(
        { name: 'worker JS, raw', unit: 'kB', aim: 450, peer: 454.3, note: gzipNote(worker) },
        worker.raw / 1000,
      ),
      countFigure(
        { name: `provider before first script, of ${LOADS}`, unit: '', aim: 50, peer: 0 },
        present,
      ),
      sampleFigure(
        {
          name: 'added page load',
          unit: 'ms',
          aim: 5,
          peer: 8,
          note: `bare page ${load.base.toFixed(1)} ms`,
        },
        load.added,
      ),
      sampleFigure(
        {
          name: 'page load beyond two empty scripts',
          unit: 'ms',
          aim: 2,
          note: `with these ${beyond.base.toFixed(1)} ms`,
        },
        beyond.added,
      ),
      sampleFigure(
        {
          name: 'the same, of a page that never looks at the wallet',
          unit: 'ms',
          aim: 2,
          note: `with these ${unlookedLoad.base.toFixed(1)} ms`,
        },
        unlookedLoad.added,
      ),
      sampleFigure(
        {
          name: 'processor time of the scripts beyond two empty ones, in such a page of a new tab',
          unit: 'ms',
          aim: 1,
          note: `these take ${scripts.base.toFixed(2)} ms`,
        },
        scripts.added,
      ),
      sampleFigure(
        {
          name: 'the same in the next page of that tab',
          unit: 'ms',
          aim: 1,
          note: `these take ${nextScripts.base.toFixed(2)} ms`,
        },
        nextScripts.added,
      ),
      sampleFigure(
        {
          name: 'added page heap',
          unit: 'KiB',
          aim: 60,
          peer: 297.6,
          note: `two empty scripts add ${emptyHeap.toFixed(1)}`,
        },
        heap,
      ),
      sampleFigure(
        {
          name: 'the same beyond two empty scripts, of a page that never looks at the wallet',
          unit: 'KiB',
          aim: 40,
        },
        unlooked,
      ),
      sampleFigure(
        {
          name: 'worker heap, idle',
          unit: 'MiB',
          aim: 1.5,
          peer: 2.14,
          note: `and ${Math.round((idle[0]?.buffers ?? 0) / 1024)} KiB of buffers`,
        },
        idle.map(({ used }) => used / 1024 / 1024),
      ),
    ]
  } finally {
    await wallet.close()
    await empty.close()
    await bare.close()
    await server.stop()
  }
}

/** In how many of so many fresh tabs the page's first inline script finds the provider. */
export async function countPresent(browser: Browser, url: string, loads: number): Promise<number> {
  let present = 0
  for (let i = 0; i < loads; i++) {
    const found = await withFreshTab(browser, async page => {
      await page.goto(url)
      return page.evaluate('window.presentAtFirst')
    })
    if (found === true) present++
  }
  return present
}

/** A page for {@link countPresent}. */
export const PRESENCE_PAGE = PAGE

/** Milliseconds that a page takes longer in one browser than in another, pair by pair, and what it takes there. */
export function measureLoads(extended: Browser, base: Browser, url: string, pairs: number) {
  return measurePairs(extended, base, pairs, browser => timeLoad(browser, url))
}

/** By how much something is more in one browser than in another, pair by pair, and the median of what it is there. */
async function measurePairs(
  extended: Browser,
  base: Browser,
  pairs: number,
  measure: (browser: Browser) => Promise<number>,
) {
  const added: number[] = []
  const baseline: number[] = []
  for (let pair = -UNCOUNTED_PAIRS; pair < pairs; pair++) {
    // In turns, so that neither always follows the other.
    const first = pair % 2 === 0 ? extended : base
    const ofFirst = await measure(first)
    const ofSecond = await measure(first === extended ? base : extended)
    if (pair < 0) continue
    const [withIt, without] = first === extended ? [ofFirst, ofSecond] : [ofSecond, ofFirst]
    added.push(withIt - without)
    baseline.push(without)
  }
  return { added, base: describeSamples(baseline).median }
}

/** The same of the main thread's time that scripts of extensions take in the last of the pages that a tab goes to, until just after its load. */
function measureScriptTimes(extended: Browser, base: Browser, urls: readonly string[]) {
  const visit = async (page: Page, url: string) => {
    await page.goto(url)
    await rest()
  }
  return measurePairs(extended, base, TRACED_PAIRS, browser =>
    withFreshTab(browser, async page => {
      await rest()
      for (const url of urls.slice(0, -1)) await visit(page, url)
      return measureScriptTime(page, () => visit(page, urls.at(-1) ?? ''))
    }),
  )
}

/** What opening a tab, and closing the last, still has to do is none of the page's. */
const rest = () => new Promise(resolve => setTimeout(resolve, TAB_REST_MS))

function timeLoad(browser: Browser, url: string): Promise<number> {
  return withFreshTab(browser, async page => {
    await rest()
    await page.goto(url)
    return Number(
      await page.evaluate(`new Promise(resolve => {
        const look = () => {
          const { loadEventEnd } = performance.getEntriesByType('navigation')[0]
          if (loadEventEnd > 0) resolve(loadEventEnd)
          else setTimeout(look)
        }
        look()
      })`),
    )
  })
}

/** KiB of a page's heap that one browser has more than another, pair by pair. */
export async function measureHeaps(
  extended: Browser,
  bare: Browser,
  url: string,
): Promise<number[]> {
  const used = (browser: Browser) =>
    withFreshTab(browser, async page => {
      await page.goto(url)
      return (await measurePageHeap(page)).used
    })
  const added: number[] = []
  for (let pair = 0; pair < HEAP_PAIRS; pair++) {
    added.push(((await used(extended)) - (await used(bare))) / 1024)
  }
  return added
}

/** Runs work in a tab of its own, which is closed then. */
export async function withFreshTab<T>(
  browser: Browser,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage()
  try {
    return await work(page)
  } finally {
    await page.close()
  }
}

function gzipNote({ gzip, files }: { gzip: number; files: string[] }): string {
  return `gzip ${(gzip / 1000).toFixed(1)} kB, ${files.length} ${files.length === 1 ? 'file' : 'files'}`
}
