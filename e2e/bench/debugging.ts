import { gzipSync } from 'node:zlib'
import type { CDPSession, Page } from 'puppeteer-core'
import type { Wallet } from '../driver/driver.ts'

/** Bytes of JavaScript; gzip is level 9 of each file. */
export type ScriptSizes = { raw: number; gzip: number; files: string[] }

/** The extension's scripts that Chromium parses in this page during `act`. */
export async function measureScripts(
  page: Page,
  extensionUrl: string,
  act: () => Promise<unknown>,
): Promise<ScriptSizes> {
  const session = await page.createCDPSession()
  try {
    return await collectScripts(session, extensionUrl, act)
  } finally {
    await session.detach()
  }
}

/** All scripts that the service worker has loaded. */
export function measureWorkerScripts(wallet: Wallet): Promise<ScriptSizes> {
  return withWorker(wallet, session => collectScripts(session, wallet.extensionUrl, settle))
}

/** Bytes of the worker's heap in use, and of its buffers outside the heap, after a full collection. */
export function measureWorkerHeap(wallet: Wallet): Promise<{ used: number; buffers: number }> {
  return withWorker(wallet, collectHeap)
}

/** The most bytes that the worker's heap was seen to have in use while `act` went on, looked at every 20 ms. */
export function watchWorkerHeap<T>(
  wallet: Wallet,
  act: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  return withWorker(wallet, async session => {
    let peak = 0
    let isOver = false
    const watch = async () => {
      while (!isOver) {
        const { usedSize } = await session.send('Runtime.getHeapUsage')
        peak = Math.max(peak, usedSize)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    const watching = watch()
    const result = await act().finally(() => {
      isOver = true
    })
    await watching
    return { result, peak }
  })
}

/** Bytes of the page's heap in use after a full collection; content scripts share it. */
export async function measurePageHeap(page: Page): Promise<{ used: number; buffers: number }> {
  const session = await page.createCDPSession()
  try {
    return await collectHeap(session)
  } finally {
    await session.detach()
  }
}

/**
 * The longest task of the page's main thread during `act`, in milliseconds of processor time: what other threads take of the same
 * cores, as the drawing of tiles without a graphics card, is in the length of a frame and not in this.
 */
export async function measureLongestTask<T>(
  page: Page,
  act: () => Promise<T>,
): Promise<{ result: T; longest: number }> {
  const { result, events } = await trace(page, 'toplevel', act)
  return { result, longest: longestTask(events) }
}

/**
 * Milliseconds of processor time that scripts of extensions take of the main thread of a page during `act`: compiling them, running
 * them, and what they listen to. What a browser does for them besides, as the making of a world of their own, is not in it.
 */
export async function measureScriptTime(page: Page, act: () => Promise<unknown>): Promise<number> {
  const { events } = await trace(page, 'devtools.timeline', act)
  let end = 0
  let time = 0
  for (const { ts, dur = 0, tdur = 0 } of events.filter(isOfExtension).toSorted(byStart)) {
    // Within another.
    if (ts < end) continue
    end = ts + dur
    time += tdur / 1000
  }
  return time
}

type TraceEvent = {
  name: string
  pid: number
  tid: number
  ts: number
  dur?: number
  tdur?: number
  args: { name?: string; data?: { url?: string } }
}

async function trace<T>(page: Page, category: string, act: () => Promise<T>) {
  await page.tracing.start({ categories: [category] })
  const result = await act()
  const bytes = await page.tracing.stop()
  if (!bytes) throw new Error('Chromium gave no trace')
  const events: TraceEvent[] = JSON.parse(Buffer.from(bytes).toString()).traceEvents
  return { result, events }
}

function isOfExtension({ name, args }: TraceEvent): boolean {
  const isScript = name === 'EvaluateScript' || name === 'FunctionCall'
  return isScript && args.data?.url?.startsWith('chrome-extension:') === true
}

const byStart = (a: TraceEvent, b: TraceEvent) => a.ts - b.ts

/** Of the renderer's main thread that was busy for the longest time, which is that of the page that is looked at. */
function longestTask(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = events
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(threadOf)
  const tasks = mains.map(main =>
    events
      .filter(event => event.name === 'ThreadControllerImpl::RunTask' && threadOf(event) === main)
      .map(({ tdur = 0 }) => tdur / 1000),
  )
  const sum = (times: readonly number[]) => times.reduce((total, ms) => total + ms, 0)
  const [busiest = []] = tasks.toSorted((a, b) => sum(b) - sum(a))
  return Math.max(0, ...busiest)
}

async function collectHeap(session: CDPSession) {
  // Finalisers of the first collection free what only the second one sees.
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const usage = await session.send('Runtime.getHeapUsage')
  return { used: usage.usedSize, buffers: usage.backingStorageSize }
}

async function collectScripts(
  session: CDPSession,
  extensionUrl: string,
  act: () => Promise<unknown>,
): Promise<ScriptSizes> {
  const found = new Map<string, Promise<string>>()
  session.on('Debugger.scriptParsed', ({ scriptId, url }) => {
    if (!url.startsWith(extensionUrl) || found.has(url)) return
    const source = session.send('Debugger.getScriptSource', { scriptId })
    found.set(
      url,
      source.then(({ scriptSource }) => scriptSource),
    )
  })
  await session.send('Debugger.enable')
  await act()
  const sources = (await Promise.all(found.values())).map(source => Buffer.from(source))
  return {
    raw: sources.reduce((total, source) => total + source.length, 0),
    gzip: sources.reduce((total, source) => total + gzipSync(source, { level: 9 }).length, 0),
    files: [...found.keys()].map(url => url.slice(extensionUrl.length)),
  }
}

/** Attaches to the worker for the moment only: while attached it never stops, and would wait when started anew. */
async function withWorker<T>(wallet: Wallet, work: (session: CDPSession) => Promise<T>) {
  await wallet.evaluateInBackground(() => null)
  const root = await wallet.browser.target().createCDPSession()
  const { targetInfos } = await root.send('Target.getTargets', {
    filter: [{ type: 'service_worker' }],
  })
  const target = targetInfos.find(({ url }) => url.startsWith(wallet.extensionUrl))
  if (!target) throw new Error('The service worker does not run')
  const { sessionId } = await root.send('Target.attachToTarget', {
    targetId: target.targetId,
    flatten: true,
  })
  const session = root.connection()?.session(sessionId)
  if (!session) throw new Error('Chromium gave no session for the service worker')
  try {
    return await work(session)
  } finally {
    await root.send('Target.detachFromTarget', { sessionId })
    await root.detach()
  }
}

function settle(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 500))
}
