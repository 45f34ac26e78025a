import type { Browser, Page } from 'puppeteer-core'

export type BrowserName = 'chromium' | 'firefox'

export type LaunchSettings = {
  executablePath: string
  extensionDir: string
  profileDir: string
  headless: boolean
  /** Further command line arguments of the browser. */
  args: readonly string[]
  /** Whether sandboxed frames of Chromium have a process of their own, as they have for people. */
  isolateFrames: boolean
  /** Of Firefox alone. */
  prefs: { [name: string]: string | number | boolean }
  /** Whether Ctrl-C closes the browser and exits. */
  handleSignals: boolean
}

export type Size = { width: number; height: number }

/** What differs between the browsers; `driver.ts` is written against this alone. */
export type Engine = {
  name: BrowserName
  browser: Browser
  /** `chrome-extension://<id>/` or `moz-extension://<uuid>/`. */
  extensionUrl: string
  /** Opens a tab in the first window, never in an approval window, and waits until it has loaded. */
  openTab(url: string, size: Size): Promise<Page>
  /** All pages of the extension that are open, whoever opened them. */
  extensionPages(): Promise<{ page: Page; url: string }[]>
  /** JSON value of an expression in the frame of an extension page whose address ends so. */
  evaluateInFrame(page: Page, ending: string, expression: string): Promise<unknown>
  isBackgroundRunning(): Promise<boolean>
  /** Ends the background and returns when it has really stopped. */
  killBackground(): Promise<void>
  /** Value of a JavaScript expression in the background, which is started if it does not run. */
  evaluateInBackground(expression: string): Promise<unknown>
  /** Firefox's sidebar with the wallet's page, which is in no tab; null in Chromium. */
  sidebar: Sidebar | null
}

/** What is done here is the browser's own: nothing is pressed with a mouse. */
export type Sidebar = {
  isOpen(): Promise<boolean>
  close(): Promise<void>
  /** JSON value of an expression in its page. */
  evaluate(expression: string): Promise<unknown>
  pressToolbarButton(): Promise<void>
  /** Takes the focus from the page, as a press in it does. */
  focus(): Promise<void>
}

/** The browser did not answer at all, or ended before it did. That is its own fault, or the machine's: the extension cannot bring it about. */
export class HangError extends Error {
  override name = 'HangError'
}

/** What comes of `work`, which gets at most `timeout` ms; then a {@link HangError}, and whatever still comes is dropped. */
export async function within<T>(what: string, timeout: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new HangError(`The browser gave no answer in ${timeout} ms: ${what}`))
    timer = setTimeout(fail, timeout)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

let retries = 0

/** How often a browser was asked once more in this process. */
export function countRetries(): number {
  return retries
}

/** Once more where the browser did not answer, which is said and counted. */
export async function retryHang<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(error => {
    if (!(error instanceof HangError)) throw error
    retries++
    process.stderr.write(`${error.message}. Once more.\n`)
    return work()
  })
}

/** Calls `probe` every 100 ms until it gives something other than null, at most `timeout` ms. */
export async function poll<T>(
  what: string,
  timeout: number,
  probe: () => Promise<T | null>,
): Promise<T> {
  const deadline = Date.now() + timeout
  for (;;) {
    const left = Math.max(deadline - Date.now(), 0)
    const found = await within(what, left + ANSWER_TIMEOUT, probe())
    if (found !== null) return found
    if (Date.now() > deadline) throw new Error(`Waited ${timeout} ms for ${what}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** A probe that is under way when the time is up is waited for. */
const ANSWER_TIMEOUT = 10_000

/**
 * The source of an expression that calls `fn` with `args`. Compilers that keep function names call a
 * function `__name` that the page does not have; `self` is passed as `globalThis` because Firefox
 * evaluates in a sandbox whose own global is not the background's.
 */
export function callExpression(
  fn: (...args: never[]) => unknown,
  args: readonly unknown[],
): string {
  const list = args.map(arg => (arg === undefined ? 'undefined' : JSON.stringify(arg))).join(', ')
  return `((globalThis, __name) => (${fn})(${list}))(self, fn => fn)`
}
