import type { Wallet } from '../driver.ts'
import { poll } from './engine.ts'

/** Closes the tab that Chromium shows after an installation, which would come to the front of what is measured. */
export async function closeWelcomeTab({ browser, extensionUrl }: Wallet): Promise<void> {
  const page = await poll('the welcome tab', 10_000, async () => {
    const pages = await browser.pages()
    return pages.find(page => page.url().startsWith(extensionUrl)) ?? null
  })
  await page.close()
}
