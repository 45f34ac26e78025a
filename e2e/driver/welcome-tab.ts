import type { Wallet } from './driver.ts'
import { poll } from './engine.ts'

/** Closes the tab that Chromium shows after an installation, which would come to the front of what is measured. A build whose background does nothing then opens none. */
export async function closeWelcomeTab(wallet: Wallet): Promise<void> {
  const { browser, extensionUrl } = wallet
  if (!(await wallet.evaluateInBackground(hearsOfInstallation))) return
  const page = await poll('the welcome tab', 10_000, async () => {
    const pages = await browser.pages()
    return pages.find(page => page.url().startsWith(extensionUrl)) ?? null
  })
  await page.close()
}

type Worker = {
  serviceWorker: EventTarget & { state: string }
  chrome: { runtime: { onInstalled: { hasListeners(): boolean } } }
}

/** Runs in the background; the API and all its listeners are there once it is active. */
async function hearsOfInstallation(): Promise<boolean> {
  const worker = globalThis as unknown as Worker
  while (worker.serviceWorker.state !== 'activated') {
    await new Promise(resolve => {
      worker.serviceWorker.addEventListener('statechange', resolve, { once: true })
    })
  }
  return worker.chrome.runtime.onInstalled.hasListeners()
}
