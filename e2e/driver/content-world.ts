import type { Page, Protocol } from 'puppeteer-core'
import { poll } from './engine.ts'

/** What a page that took over its own process could read and write of the extension's storage; leaves a forged hint behind. */
export function spoilStorage(page: Page): Promise<unknown> {
  return evaluateInContentScript(page, readAndSpoilStorage.toString())
}

/** Runs a function's text in the world of the content script of a page; in Chromium, which lists a page's worlds. */
async function evaluateInContentScript(page: Page, source: string): Promise<unknown> {
  const session = await page.createCDPSession()
  try {
    const worlds: Protocol.Runtime.ExecutionContextDescription[] = []
    session.on('Runtime.executionContextCreated', ({ context }) => worlds.push(context))
    await session.send('Runtime.enable')
    const world = await poll(
      'the content script',
      5_000,
      async () => worlds.find(({ origin }) => origin.startsWith('chrome-extension://')) ?? null,
    )
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `(${source})()`,
      contextId: world.id,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description)
    return result.value
  } finally {
    await session.detach()
  }
}

/** Runs in the world of the content script, as a page that took over its own process could. */
async function readAndSpoilStorage() {
  const { storage } = Object(globalThis).chrome
  const attempt = (work: () => Promise<unknown>) => work().catch(error => String(error))
  const found = {
    local: [
      await attempt(() => storage.local.get(null)),
      await attempt(() => storage.local.set({ okxAlias: { everywhere: true, origins: [] } })),
    ],
    session: [
      await attempt(() => storage.session.get(null)),
      await attempt(() => storage.session.set({ x: 1 })),
    ],
    hints: Object.values(await storage.sync.get(null)),
  }
  await storage.sync.set({ 'alias.forged': '*' })
  return found
}

/** Runs in the background, and takes back what {@link spoilStorage} leaves. */
export async function removeForgedHint(): Promise<void> {
  await Object(globalThis).chrome.storage.sync.remove('alias.forged')
}
