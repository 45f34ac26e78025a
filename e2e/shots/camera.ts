import type { Page } from 'puppeteer-core'
import type { Wallet } from '../driver/driver.ts'
import { callExpression } from '../driver/engine.ts'
import { describeScreen, type Screen } from '../driver/screen.ts'
import type { Answers, Shot } from './shot.ts'

/** Timers that are as good as no wait, such as the one that yields to the browser. */
const AT_ONCE_MS = 100
const PAUSE_MS = 600

export type Theme = 'light' | 'dark'

const SIZES = {
  popup: { width: 360, height: 600 },
  tab: { width: 1100, height: 800 },
  approval: { width: 400, height: 680 },
}

/** Shows one shot after the other in a tab of its own; what it draws a pixel with is `scale` wide. */
export function createCamera(wallet: Pick<Wallet, 'browser' | 'extensionUrl'>, scale: 1 | 2) {
  let tab: Page | null = null
  let script: string | null = null
  let shown = 0

  /** One tab serves all shots, as a new one costs more than all else; a screen that closes itself takes it along. */
  const openTab = async (): Promise<Page> => {
    if (tab && !tab.isClosed()) return tab
    script = null
    tab = await wallet.browser.newPage()
    return tab
  }

  return {
    /** The built extension's page in the state of a shot, in the light theme; everything in it is real but the background's answers. */
    async show({ surface = 'popup', path, answers, act }: Shot): Promise<Screen> {
      const page = await openTab()
      await page.setViewport({ ...SIZES[surface], deviceScaleFactor: scale })
      await showTheme(page, 'light')
      if (script !== null) await page.removeScriptToEvaluateOnNewDocument(script)
      script = await scriptBackground(page, answers, surface === 'popup')
      // Where the mouse was for the shot before, something of this one may be.
      await page.mouse.move(-1, -1)
      const query = surface === 'approval' ? '?approval&' : '?'
      const hash = path === undefined ? '' : `#${path}`
      // Another address each time: to the same one with another hash, the browser would go without loading it.
      const address = `src/popup/popup.html${query}shot=${++shown}${hash}`
      await page.goto(`${wallet.extensionUrl}${address}`)
      // A tab behind another one draws nothing.
      await page.bringToFront()
      const screen = describeScreen(page)
      await settle(page)
      if (act) {
        await act(screen)
        await settle(page)
      }
      return screen
    },
  }
}

/** As the system's setting would; what moves is still. */
export function showTheme(page: Page, theme: Theme): Promise<void> {
  return page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ])
}

/** Until lazy parts, fonts and pictures are there, all that was to happen at once has happened, and nothing is drawn anew. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(callExpression(waitForRest, [AT_ONCE_MS, 5000]))
}

/** Until the pauses of the page are over, such as the one before Approve can be pressed. */
export async function waitForPauses(page: Page): Promise<void> {
  await page.evaluate(callExpression(waitForRest, [PAUSE_MS, 5000]))
}

/** Runs in the page; `window.pendingTimers` is kept by the script that answers for the background. */
async function waitForRest(timerMs: number, limitMs: number): Promise<void> {
  const { pendingTimers } = globalThis as unknown as { pendingTimers: Map<number, number> }
  const until = performance.now() + limitMs
  let changed = true
  const observer = new MutationObserver(() => {
    changed = true
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  const isBusy = () =>
    document.querySelector('[aria-busy="true"]:has(> main)') !== null ||
    Array.from(document.images).some(image => !image.complete) ||
    [...pendingTimers.values()].some(ms => ms <= timerMs)
  await document.fonts.ready
  for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
    changed = false
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
    quiet = changed || isBusy() ? 0 : quiet + 1
  }
  observer.disconnect()
}

/** Puts the scripted answers in the place of the messages to the background, before any script of the page runs. */
async function scriptBackground(page: Page, answers: Answers, isPopup: boolean): Promise<string> {
  const entries = Object.entries(answers).map(([method, answer]) => {
    const source = 'given' in answer ? `{ given: ${answer.given} }` : JSON.stringify(answer)
    return `${JSON.stringify(method)}: ${source}`
  })
  const { identifier } = await page.evaluateOnNewDocument(
    `((__name) => (${answerFromScript})({ ${entries.join(', ')} }, ${isPopup}))(fn => fn)`,
  )
  return identifier
}

/** Runs in the page. */
function answerFromScript(
  answers: { [method: string]: { [kind: string]: unknown } },
  isPopup: boolean,
): void {
  type Respond = (answer: unknown) => void
  type Api = {
    runtime: { sendMessage: unknown }
    tabs: { getCurrent: unknown }
    storage: { session: { remove(keys: string[]): unknown } }
  }
  const { chrome, browser } = globalThis as unknown as { chrome: Api; browser?: Api }
  const reply = ({ ui, params }: { ui: string; params: unknown }): unknown => {
    const answer = answers[ui]
    if (answer === undefined) {
      return { error: { code: -32601, message: `The shot has no answer to ${ui}` } }
    }
    if (typeof answer.given === 'function') return { result: answer.given(params) }
    if ('silent' in answer) return undefined
    return 'error' in answer ? { error: answer.error } : { result: answer.value }
  }
  const sendMessage = (message: { ui: string; params: unknown }, respond?: Respond) => {
    const answer = reply(message)
    if (answer === undefined) return new Promise(() => {})
    if (typeof respond === 'function') setTimeout(() => respond(answer), 0)
    return Promise.resolve(answer)
  }
  const getNoTab = (respond?: Respond) => {
    if (typeof respond === 'function') setTimeout(() => respond(undefined), 0)
    return Promise.resolve(undefined)
  }
  const pending = new Map<number, number>()
  const { setTimeout: start, clearTimeout: stop } = globalThis
  Object.assign(globalThis, {
    pendingTimers: pending,
    setTimeout: (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const run = () => {
        pending.delete(id)
        work(...args)
      }
      const id = Number(start(run, ms))
      pending.set(id, ms)
      return id
    },
    clearTimeout: (id: number) => {
      pending.delete(id)
      stop(id)
    },
  })
  // Chromium has both names, and the polyfill takes the one that is there.
  for (const api of [chrome, browser]) {
    if (!api) continue
    api.runtime.sendMessage = sendMessage
    // Nothing that was typed for another shot.
    api.storage.session.remove(['draft', 'draft.inscribe'])
    // The toolbar popup is in no tab.
    if (isPopup) api.tabs.getCurrent = getNoTab
  }
}
