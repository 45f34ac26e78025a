import type { Page } from 'puppeteer-core'
import { poll } from './engine.ts'
import { describeScreen, type Screen } from './screen.ts'

declare const chrome: { storage: { session: { remove(key: string): Promise<void> } } }

/** One request that waits for the person, shown in the approval window. */
export type Approval = Screen & {
  /** The heading: what will happen. */
  title: string
  /** Place in the queue, such as `1 of 3`. */
  queue: string
  /** Waits until the primary button can be pressed, which takes half a second on purpose. */
  ready(): Promise<void>
  /** Presses the primary button and, unless `settle` is false, waits until this request is off the screen. */
  approve(options?: { settle?: boolean }): Promise<void>
  /** Presses Reject and waits likewise. */
  reject(options?: { settle?: boolean }): Promise<void>
  /** Where the request waits for the password: types it and unlocks. */
  unlock(password: string): Promise<void>
  /** Closes the window itself, as its title bar does. */
  close(): Promise<void>
}

/** The approval that the page shows now, or null while it shows none. */
export async function readApproval(page: Page): Promise<Approval | null> {
  const screen = describeScreen(page)
  const face = await screen.evaluate(describeRequest).catch(() => null)
  if (!face) return null
  // Every request is drawn anew: when this element has left the page, so has the request.
  const mark = await page.$('[data-testid="reject"]').catch(() => null)
  if (!mark) return null

  const decide = async (testId: string, settle = true) => {
    if (testId === 'approve') await page.evaluate(readToEnds).catch(() => {})
    await screen.clickTestId(testId)
    if (!settle) return
    await poll(`"${face.title}" to leave the screen after ${testId}`, 60_000, async () => {
      if (page.isClosed()) return true
      // Asking a window that is closing fails: it has closed.
      return (await mark.evaluate(element => element.isConnected).catch(() => false)) ? null : true
    })
  }

  return {
    ...screen,
    ...face,
    async ready() {
      await page.evaluate(readToEnds)
      await page.waitForSelector('[data-testid="approve"]:enabled')
    },
    approve: options => decide('approve', options?.settle),
    async reject(options) {
      await page.evaluate(forgetDeclines)
      await decide('reject', options?.settle)
    },
    async close() {
      await page.evaluate(forgetDeclines)
      await screen.close()
    },
    async unlock(password) {
      await screen.fill('textbox', 'Password', password)
      await decide('approve')
    },
  }
}

/** Runs in the window: goes to the end of each long text, as a person with a keyboard. */
function readToEnds(): void {
  for (const end of document.querySelectorAll<HTMLElement>('[data-testid="end-of-text"]'))
    end.focus()
}

/** Runs in the window. Tests say no more often than people do, after which no window would open for a minute. */
async function forgetDeclines(): Promise<void> {
  await chrome.storage.session.remove('declines')
}

/** Runs in the window; null when it shows no request, or one of which it is not known yet what it does. */
function describeRequest(): { title: string; queue: string } | null {
  const heading = document.querySelector('h1')
  const has = (testId: string) => document.querySelector(`[data-testid="${testId}"]`) !== null
  if (!heading || !has('reject') || has('preparing')) return null
  const queue = Array.from(document.querySelectorAll('[role="status"]'))
    .map(element => element.textContent.trim())
    .find(text => /^\d+ of \d+$/.test(text))
  return { title: heading.textContent.replace(/\s+/g, ' ').trim(), queue: queue ?? '' }
}
