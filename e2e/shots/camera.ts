import type { Page } from 'puppeteer-core'
import type { Wallet } from '../driver/driver.ts'
import { callExpression } from '../driver/engine.ts'
import { describeScreen, type Screen } from '../driver/screen.ts'
import type { Answers, Shot } from './shot.ts'

export type Theme = 'light' | 'dark'

const SIZES = {
  popup: { width: 360, height: 600 },
  tab: { width: 1100, height: 800 },
  approval: { width: 400, height: 680 },
}

/** Opens the built extension's page in the state of a shot, in the light theme; everything in it is real but the background's answers. */
export async function openShot(wallet: Wallet, shot: Shot): Promise<Screen> {
  const { surface = 'popup', path, answers, act } = shot
  const page = await wallet.browser.newPage()
  await page.setViewport({ ...SIZES[surface], deviceScaleFactor: 2 })
  await showTheme(page, 'light')
  await scriptBackground(page, answers, surface === 'popup')
  const query = surface === 'approval' ? '?approval' : ''
  const hash = path === undefined ? '' : `#${path}`
  await page.goto(`${wallet.extensionUrl}src/popup/popup.html${query}${hash}`)
  // A tab behind another one draws nothing.
  await page.bringToFront()
  const screen = describeScreen(page)
  await settle(page)
  if (act) {
    await act(screen)
    await settle(page)
  }
  return screen
}

/** As the system's setting would; what moves is still. */
export function showTheme(page: Page, theme: Theme): Promise<void> {
  return page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ])
}

/** Until lazy parts are there and nothing was drawn anew for a moment. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(callExpression(waitForQuiet, [150, 5000]))
}

/** Runs in the page. A screen whose code is still being fetched is as quiet as one that is finished. */
async function waitForQuiet(quietMs: number, limitMs: number): Promise<void> {
  await document.fonts.ready
  const isOnItsWay = () => document.querySelector('[aria-busy="true"]:has(> main)') !== null
  await new Promise<void>(resolve => {
    const rest = () => setTimeout(() => !isOnItsWay() && resolve(), quietMs)
    let timer = rest()
    new MutationObserver(() => {
      clearTimeout(timer)
      timer = rest()
    }).observe(document, { subtree: true, childList: true, characterData: true })
    setTimeout(resolve, limitMs)
  })
}

/** Puts the scripted answers in the place of the messages to the background, before any script of the page runs. */
async function scriptBackground(page: Page, answers: Answers, isPopup: boolean): Promise<void> {
  const entries = Object.entries(answers).map(([method, answer]) => {
    const source = 'given' in answer ? `{ given: ${answer.given} }` : JSON.stringify(answer)
    return `${JSON.stringify(method)}: ${source}`
  })
  await page.evaluateOnNewDocument(
    `((__name) => (${answerFromScript})({ ${entries.join(', ')} }, ${isPopup}))(fn => fn)`,
  )
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
