import type { Page } from 'puppeteer-core'
import { DECODING_MS } from '../../src/popup/ui/pictures/picture-decoder.ts'
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

/** What a screen says between two shots: that the background has no answer. */
const BETWEEN = 'Between two shots'

/**
 * Shows one shot after the other in a tab of its own; what it draws a pixel with is `scale` wide. With `reload`, each in a
 * page that is loaded for it; without, in the page of the shot before where nothing of that can be left: everything on it is
 * taken away before the new state is told as news of the background are.
 */
export function createCamera(
  wallet: Pick<Wallet, 'browser' | 'extensionUrl'>,
  { scale, reload }: { scale: 1 | 2; reload: boolean },
) {
  let tab: Page | null = null
  let script: string | null = null
  let shown = 0
  let last: Shot | null = null

  /** One tab serves all shots, as a new one costs more than all else; a screen that closes itself takes it along. */
  const openTab = async (): Promise<Page> => {
    if (tab && !tab.isClosed()) return tab
    script = null
    last = null
    tab = await wallet.browser.newPage()
    return tab
  }

  const load = async (page: Page, { surface = 'popup', path, answers }: Shot) => {
    if (script !== null) await page.removeScriptToEvaluateOnNewDocument(script)
    script = await scriptBackground(page, answers, surface === 'popup')
    const query = surface === 'approval' ? '?approval&' : '?'
    // Another address each time: to the same one with another hash, the browser would go without loading it.
    const address = `src/popup/popup.html${query}shot=${++shown}${hashOf(path)}`
    await page.goto(`${wallet.extensionUrl}${address}`)
  }

  /** False where the page of the shot before does not do. */
  const reuse = async (page: Page, shot: Shot): Promise<boolean> => {
    if (reload || last === null || !isAlike(last, shot)) return false
    const isEmptied = await page.evaluate(callExpression(emptyPage, [BETWEEN]))
    if (!isEmptied) return false
    await page.evaluate(
      `answerWith(${sourceOf(shot.answers)}, ${JSON.stringify(hashOf(shot.path))})`,
    )
    return true
  }

  return {
    /** The built extension's page in the state of a shot, in the light theme; everything in it is real but the background's answers. */
    async show(shot: Shot): Promise<Screen> {
      const page = await openTab()
      await page.setViewport({ ...SIZES[shot.surface ?? 'popup'], deviceScaleFactor: scale })
      await showTheme(page, 'light')
      // Where the mouse was for the shot before, something of this one may be.
      await page.mouse.move(-1, -1)
      if (!(await reuse(page, shot))) await load(page, shot)
      last = shot
      // A tab behind another one draws nothing.
      await page.bringToFront()
      const screen = describeScreen(page)
      await settle(page)
      if (shot.act) {
        await shot.act(screen)
        await settle(page)
      }
      return screen
    },
  }
}

/** Routes of screens that keep something of what they showed for as long as the page is there. */
const REMEMBERING = /^\/(inscriptions|atomicals|inscribe)/

/**
 * Whether the page of one shot can show another. An approval's window takes its language only when it is loaded, and does not
 * show again what it has had an answer to.
 */
function isAlike(one: Shot, other: Shot): boolean {
  if (one.answers.decide && 'value' in one.answers.decide) return false
  const isForgetful = [one, other].every(
    ({ path = '', answers: { getState } }) =>
      !REMEMBERING.test(path) && getState !== undefined && 'value' in getState,
  )
  if (!isForgetful || one.surface !== other.surface) return false
  return one.surface !== 'approval' || languageOf(one) === languageOf(other)
}

function languageOf({ answers: { getState } }: Shot): string | null {
  return getState && 'value' in getState ? getState.value.settings.language : null
}

function hashOf(path: string | undefined): string {
  return path === undefined ? '' : `#${path}`
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
  await page.evaluate(callExpression(waitForRest, [AT_ONCE_MS, 5000, DECODING_MS]))
}

/** Until the pauses of the page are over, such as the one before Approve can be pressed. */
export async function waitForPauses(page: Page): Promise<void> {
  await page.evaluate(callExpression(waitForRest, [PAUSE_MS, 5000, DECODING_MS]))
}

/** Runs in the page; `window.pendingTimers` is kept by the script that answers for the background. */
async function waitForRest(timerMs: number, limitMs: number, decodingMs: number): Promise<void> {
  const { pendingTimers } = globalThis as unknown as ScriptedPage
  const until = performance.now() + limitMs
  let changed = true
  const observer = new MutationObserver(() => {
    changed = true
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  const isBusy = () =>
    document.querySelector('[aria-busy="true"]:has(> main)') !== null ||
    Array.from(document.images).some(image => !image.complete) ||
    // A picture that is being decoded has its time limit.
    [...pendingTimers.values()].some(ms => ms <= timerMs || ms === decodingMs)
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
  const { identifier } = await page.evaluateOnNewDocument(
    `((__name) => (${answerFromScript})(${sourceOf(answers)}, ${isPopup}))(fn => fn)`,
  )
  return identifier
}

/** The answers as an expression of an object with functions. */
function sourceOf(answers: Answers): string {
  const entries = Object.entries(answers).map(([method, answer]) => {
    const source = 'given' in answer ? `{ given: ${answer.given} }` : JSON.stringify(answer)
    return `${JSON.stringify(method)}: ${source}`
  })
  return `((__name) => ({ ${entries.join(', ')} }))(fn => fn)`
}

/** What {@link answerFromScript} leaves in the page. */
type ScriptedPage = {
  pendingTimers: Map<number, number>
  /** From now on the background answers so, and tells that something has changed. */
  answerWith(answers: { [method: string]: unknown }, hash: string): void
}

/** Runs in the page: takes away what is shown; whether that could be done. */
async function emptyPage(between: string): Promise<boolean> {
  const { answerWith } = globalThis as unknown as ScriptedPage
  const error = { code: -32000, message: between }
  answerWith({ getState: { error }, getApproval: { error } }, location.hash)
  const until = performance.now() + 1000
  const isEmpty = () =>
    document.querySelectorAll('main').length === 1 &&
    document.querySelectorAll('dialog').length === 0 &&
    (document.querySelector('main')?.textContent ?? '').includes(between)
  while (!isEmpty()) {
    if (performance.now() > until) return false
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return document.querySelector('.toast__toast') === null
}

/** Runs in the page. */
function answerFromScript(
  answers: { [method: string]: { [kind: string]: unknown } },
  isPopup: boolean,
): void {
  type Respond = (answer: unknown) => void
  type Listen = (changes: { [key: string]: unknown }, area: string) => void
  type Api = {
    runtime: { sendMessage: unknown; connect: unknown }
    tabs: { getCurrent: unknown }
    storage: {
      session: { remove(keys: string[]): unknown }
      onChanged: { addListener(listener: Listen): void; removeListener(listener: Listen): void }
    }
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
  const listeners = new Set<Listen>()
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
    answerWith(next: typeof answers, hash: string) {
      answers = next
      forgetDrafts()
      history.replaceState(null, '', hash || location.pathname + location.search)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
      for (const listener of listeners) listener({}, 'session')
    },
  })
  // Chromium has both names, and the polyfill takes the one that is there.
  const apis = [chrome, browser].filter(api => api !== undefined)
  // Nothing that was typed for another shot.
  const forgetDrafts = () => {
    for (const api of apis) api.storage.session.remove(['draft', 'draft.inscribe'])
  }
  forgetDrafts()
  for (const api of apis) {
    api.runtime.sendMessage = sendMessage
    // The toolbar popup is in no tab.
    if (isPopup) api.tabs.getCurrent = getNoTab
    const { onChanged } = api.storage
    onChanged.addListener = listener => void listeners.add(listener)
    onChanged.removeListener = listener => void listeners.delete(listener)
  }
}
