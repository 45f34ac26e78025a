import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import { findChromium } from '../commands/provision.ts'

/** Chromium as the driver starts it, without an extension: what the page costs by itself. */
export async function launchBareChromium(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium: run npx tsx e2e/commands/provision.ts')
  const userDataDir = mkdtempSync(join(tmpdir(), 'satchel-bare-'))
  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    userDataDir,
    pipe: true,
    enableExtensions: true,
    defaultViewport: null,
    targetFilter: target => target.type() !== 'service_worker',
    args: [
      '--enable-unsafe-extension-debugging',
      '--disable-gpu',
      '--disable-quic',
      '--no-default-browser-check',
      '--disable-component-update',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  return {
    browser,
    async close() {
      await browser.close()
      rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
