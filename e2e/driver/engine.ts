import type { Browser, Page } from 'puppeteer-core'

export type BrowserName = 'chromium' | 'firefox'

export type LaunchSettings = {
  executablePath: string
  extensionDir: string
  profileDir: string
  headless: boolean
  /** Further command line arguments of the browser. */
  args: readonly string[]
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
  isBackgroundRunning(): Promise<boolean>
  /** Ends the background and returns when it has really stopped. */
  killBackground(): Promise<void>
  /** Value of a JavaScript expression in the background, which is started if it does not run. */
  evaluateInBackground(expression: string): Promise<unknown>
}

/** Calls `probe` every 25 ms until it gives something other than null, at most `timeout` ms. */
export async function poll<T>(
  what: string,
  timeout: number,
  probe: () => Promise<T | null>,
): Promise<T> {
  const deadline = Date.now() + timeout
  for (;;) {
    const found = await probe()
    if (found !== null) return found
    if (Date.now() > deadline) throw new Error(`Waited ${timeout} ms for ${what}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

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
