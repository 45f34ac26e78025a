import { once } from 'node:events'
import type { Browser } from 'puppeteer-core'
import { within } from './engine.ts'

/** Closes a browser, and ends its process where it does not close. */
export async function endBrowser(browser: Browser): Promise<void> {
  const process = browser.process()
  await within('to close', 20_000, browser.close()).catch(() => {})
  if (!process || process.exitCode !== null || process.signalCode !== null) return
  process.kill('SIGKILL')
  await once(process, 'exit')
}
