import type { Browser, CDPSession, Page } from 'puppeteer-core'
import type { Wallet } from './driver.ts'
import { callExpression, poll, type Sidebar } from './engine.ts'

/**
 * The wallet's page in Chromium's real side panel, which puppeteer does not list, as it is in no tab: it is driven over the
 * DevTools protocol itself, with the mouse and keys of the browser. In Firefox's real sidebar, which WebDriver does not reach,
 * presses and keys are events of the page.
 */
export type Panel = {
  evaluate<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** Presses the middle of the first such element, once it is enabled and drawn. */
  press(selector: string): Promise<void>
  pressKey(key: string): Promise<void>
  /** Types into the field that has the focus. */
  type(text: string): Promise<void>
  /** Waits until the visible text, in one line, contains this. */
  waitForText(text: string): Promise<void>
}

/** What a site asks in the panel. */
export type Question = { title: string; approve(): Promise<void>; reject(): Promise<void> }

const roots = new WeakMap<Browser, Promise<CDPSession>>()
const attached = new Map<string, Panel>()

async function rootOf(browser: Browser): Promise<CDPSession> {
  const root = roots.get(browser) ?? browser.target().createCDPSession()
  roots.set(browser, root)
  return root
}

/** The open panel, or null. */
export async function findPanel(wallet: Wallet): Promise<Panel | null> {
  const { sidebar } = wallet
  if (sidebar) return (await sidebar.isOpen()) ? describeSidebar(sidebar) : null
  const root = await rootOf(wallet.browser)
  const { targetInfos } = await root.send('Target.getTargets', {})
  const address = `${wallet.extensionUrl}src/popup/popup.html?panel`
  const target = targetInfos.find(({ type, url }) => type === 'page' && url.startsWith(address))
  if (!target) return null
  const { targetId } = target
  const known = attached.get(targetId)
  if (known) return known
  // It may close in this moment.
  const answer = await root
    .send('Target.attachToTarget', { targetId, flatten: true })
    .catch(() => null)
  const session = answer && root.connection()?.session(answer.sessionId)
  if (!session) return null
  const panel = describePanel(session)
  attached.set(targetId, panel)
  return panel
}

export async function panelOf(wallet: Wallet): Promise<Panel> {
  return poll('the side panel', 15_000, () => findPanel(wallet))
}

/** What is asked in the panel, waiting until something is. */
export async function nextInPanel(wallet: Wallet, title = ''): Promise<Question> {
  return poll(`a question in the side panel ${title}`, 30_000, async () => {
    const panel = await findPanel(wallet)
    const shown = await panel?.evaluate(readQuestion).catch(() => null)
    if (!panel || !shown?.includes(title)) return null
    const decide = async (testId: string) => {
      // The focus is in the page of the site, and nothing can be approved before a press has taken it from there.
      await panel.press('dialog h1')
      await panel.press(`dialog [data-testid="${testId}"]`)
      await poll(`"${shown}" to be answered`, 30_000, async () =>
        (await panel.evaluate(readQuestion).catch(() => null)) === shown ? null : true,
      )
    }
    return { title: shown, approve: () => decide('approve'), reject: () => decide('reject') }
  })
}

/** Closes it, and waits until it has closed. */
export async function closePanel(wallet: Wallet): Promise<void> {
  if (wallet.sidebar) await wallet.sidebar.close()
  else await (await panelOf(wallet)).evaluate(closeSidePanel)
  await poll('the side panel to close', 10_000, async () =>
    (await findPanel(wallet)) ? null : true,
  )
}

/** Runs in the panel, which is gone before it could answer. */
async function closeSidePanel(): Promise<void> {
  const { windows, sidePanel } = Object(globalThis).chrome
  const { id } = await windows.getCurrent()
  setTimeout(() => sidePanel.close({ windowId: id }))
}

/** Presses the toolbar button beside this tab. */
export async function pressToolbarButton(wallet: Wallet, page: Page): Promise<void> {
  if (wallet.sidebar) return wallet.sidebar.pressToolbarButton()
  const [extension] = [...(await wallet.browser.extensions()).values()]
  if (!extension) throw new Error('The browser names no extension')
  await page.bringToFront()
  await extension.triggerAction(page)
}

/** Chooses on the settings' page, by a press, what the toolbar button opens; waits until that is so. */
export async function chooseToolbar(wallet: Wallet, opens: 'popup' | 'panel'): Promise<void> {
  const settings = await wallet.popup('src/popup/popup.html#/settings/display')
  await settings.clickSelector(`label:has(input[value="${opens}"])`)
  await poll(`the toolbar button to open the ${opens}`, 15_000, async () => {
    const { local } = await wallet.storageDump()
    return Object(local.settings).toolbarOpens === opens ? true : null
  })
  await settings.close()
}

/** How many of the wallet's pages the browser itself calls side panels, or sidebars. */
export async function countSidePanels(wallet: Wallet): Promise<number> {
  if (wallet.sidebar) return Number(await wallet.sidebar.isOpen())
  return wallet.evaluateInBackground(async () => {
    const { chrome } = Object(globalThis)
    return (await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] })).length as number
  })
}

function describeSidebar(sidebar: Sidebar): Panel {
  const evaluate = async <A extends readonly unknown[], R>(
    fn: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> => (await sidebar.evaluate(callExpression(fn, args))) as Awaited<R>
  return {
    evaluate,
    async press(selector) {
      await sidebar.focus()
      await poll(`${selector} to be pressed`, 30_000, async () =>
        (await evaluate(findPoint, selector)) ? evaluate(pressElement, selector) : null,
      )
    },
    pressKey: key => evaluate(sendKey, key),
    type: text => evaluate(insertText, text),
    waitForText: text => waitForText(evaluate, text),
  }
}

/** Runs in the page. */
function pressElement(selector: string): void {
  const element = document.querySelector<HTMLElement>(selector)
  element?.focus()
  element?.click()
}

function sendKey(key: string): void {
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
  )
}

function insertText(text: string): void {
  document.execCommand('insertText', false, text)
}

type Evaluate = Panel['evaluate']

async function waitForText(evaluate: Evaluate, text: string): Promise<void> {
  const shown = { last: '' }
  await poll(`the text "${text}"`, 15_000, async () => {
    shown.last = (await evaluate(() => document.body?.innerText ?? '')).replace(/\s+/g, ' ')
    return shown.last.includes(text) ? true : null
  }).catch(error => {
    throw new Error(`${error.message}\nThe panel shows:\n${shown.last}`)
  })
}

function describePanel(session: CDPSession): Panel {
  const evaluate = async <A extends readonly unknown[], R>(
    fn: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: callExpression(fn, args),
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value as Awaited<R>
  }
  const pressKey = async (key: string) => {
    for (const type of ['keyDown', 'keyUp'] as const)
      await session.send('Input.dispatchKeyEvent', { type, key, code: key })
  }
  return {
    evaluate,
    pressKey,
    type: async text => void (await session.send('Input.insertText', { text })),
    async press(selector) {
      const point = await poll(`${selector} to be hit`, 30_000, () => evaluate(findPoint, selector))
      for (const type of ['mousePressed', 'mouseReleased'] as const)
        await session.send('Input.dispatchMouseEvent', {
          ...{ type, ...point, button: 'left', clickCount: 1 },
        })
    },
    waitForText: text => waitForText(evaluate, text),
  }
}

/** Runs in the panel: the middle of an element that can be pressed, else null. */
async function findPoint(selector: string): Promise<{ x: number; y: number } | null> {
  const element = document.querySelector(selector)
  if (!element || element.matches(':disabled')) return null
  element.scrollIntoView({ block: 'nearest' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  return element.contains(document.elementFromPoint(x, y)) ? { x, y } : null
}

/** Runs in the panel: the heading of what is asked; null while that is still being worked out, and nothing can be approved. */
function readQuestion(): string | null {
  const question = document.querySelector(
    'dialog:has([data-testid="reject"]):not(:has([data-testid="preparing"]))',
  )
  return question?.querySelector('h1')?.textContent?.replace(/\s+/g, ' ').trim() ?? null
}
