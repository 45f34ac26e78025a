import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { endBrowser } from './end-browser.ts'
import { type Engine, type LaunchSettings, poll, within } from './engine.ts'

/** Firefox draws a random id for the extension's pages; a fixed one spares asking for it. */
const PAGE_ID = '5a7c4e10-0b17-4c01-9a11-e75a7c4e1000'

/**
 * Starts Firefox with the extension as a temporary add-on. Extension pages, the background and
 * privileged code are reached by WebDriver BiDi: puppeteer does not see such pages load.
 */
export async function launchFirefox(settings: LaunchSettings): Promise<Engine> {
  const addonId = readAddonId(settings.extensionDir)
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: settings.executablePath,
    headless: settings.headless,
    userDataDir: settings.profileDir,
    protocolTimeout: 240_000,
    handleSIGINT: settings.handleSignals,
    handleSIGTERM: settings.handleSignals,
    handleSIGHUP: settings.handleSignals,
    defaultViewport: null,
    args: ['--remote-allow-system-access', ...settings.args],
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify({ [addonId]: PAGE_ID }),
      // A temporary add-on is removed at exit; what it stored must be there at the next start.
      'extensions.webextensions.keepStorageOnUninstall': true,
      'extensions.webextensions.keepUuidOnUninstall': true,
      'devtools.jsonview.enabled': false,
      ...settings.prefs,
    },
  })
  try {
    const installing = browser.installExtension(settings.extensionDir)
    await within('to install the extension', 60_000, installing)
    const bidi = connectBidi(browser)
    const extensionUrl = `moz-extension://${PAGE_ID}/`
    const first = (await bidi.contexts())[0]
    if (!first) throw new Error('Firefox opened without a tab')
    const evaluateInView = async (view: 'background' | 'sidebar', expression: string) => {
      const outcome = await bidi.privileged(EVALUATE_IN_VIEW, [addonId, expression, view])
      const { value, error } = outcome as { value?: unknown; error?: string }
      if (error !== undefined) throw new Error(error)
      return value
    }

    return {
      name: 'firefox',
      browser,
      extensionUrl,
      async openTab(url, size) {
        const { context } = (await bidi.send('browsingContext.create', {
          type: 'tab',
          referenceContext: first.context,
        })) as { context: string }
        const page = await poll('the new tab', 10_000, () => pageOf(browser, context))
        if (settings.headless) await page.setViewport(size)
        if (!url.startsWith(extensionUrl)) {
          await page.goto(url)
          return page
        }
        await bidi.send('browsingContext.navigate', { context, url, wait: 'none' })
        await poll(`${url} to load`, 30_000, async () => {
          const state = await page
            .evaluate('location.href + " " + document.readyState')
            .catch(() => '')
          return state === `${url} complete` ? true : null
        })
        return page
      },
      async extensionPages() {
        const contexts = (await bidi.contexts()).filter(({ url }) => url.startsWith(extensionUrl))
        const pages = await Promise.all(
          contexts.map(async ({ context, url }) => ({ page: await pageOf(browser, context), url })),
        )
        return pages.flatMap(({ page, url }) => (page ? [{ page, url }] : []))
      },
      async evaluateInFrame(page, ending, expression) {
        const [tree] = await bidi.tree({ root: idOf(page) })
        const frames = (tree?.children ?? []).filter(({ url }) => url.endsWith(ending))
        const [frame] = frames
        if (!frame || frames.length > 1) throw new Error(`${frames.length} frames of ${ending}`)
        return bidi.evaluate(frame.context, expression)
      },
      async isBackgroundRunning() {
        return (await bidi.privileged(READ_BACKGROUND_STATE, [addonId])) === 'running'
      },
      async killBackground() {
        await bidi.privileged(TERMINATE_BACKGROUND, [addonId])
      },
      evaluateInBackground: expression => evaluateInView('background', expression),
      sidebar: {
        isOpen: async () => (await bidi.privileged(IS_SIDEBAR_OPEN, [addonId])) === true,
        close: async () => void (await bidi.privileged(CLOSE_SIDEBAR, [])),
        evaluate: expression => evaluateInView('sidebar', expression),
        pressToolbarButton: async () => void (await bidi.privileged(PRESS_BUTTON, [addonId])),
        focus: async () => void (await bidi.privileged(FOCUS_SIDEBAR, [addonId])),
      },
    }
  } catch (error) {
    await endBrowser(browser)
    throw error
  }
}

function readAddonId(extensionDir: string): string {
  const manifest = JSON.parse(readFileSync(join(extensionDir, 'manifest.json'), 'utf8'))
  const id: unknown = manifest.browser_specific_settings?.gecko?.id
  if (typeof id !== 'string') throw new Error(`${extensionDir} is not built for Firefox`)
  return id
}

type Context = { context: string; url: string; children?: Context[] }
type BidiConnection = {
  send(method: string, params: object): Promise<{ result: unknown }>
}

/** puppeteer keeps its BiDi connection to itself; these are the two parts of it that we need. */
function connectBidi(browser: Browser) {
  const { connection } = browser as unknown as { connection: BidiConnection }
  const send = async (method: string, params: object) =>
    (await connection.send(method, params)).result
  const tree = async (params: object) =>
    ((await send('browsingContext.getTree', params)) as { contexts: Context[] }).contexts

  return {
    send,
    tree,
    /** The JSON value of an expression, or of what it promises. */
    async evaluate(context: string, expression: string): Promise<unknown> {
      const answer = (await send('script.evaluate', {
        expression: `(async () => JSON.stringify({ value: await (${expression}) }))()`,
        target: { context },
        awaitPromise: true,
      })) as { result?: { value: string }; exceptionDetails?: { text: string } }
      if (!answer.result) throw new Error(answer.exceptionDetails?.text ?? 'no answer')
      return JSON.parse(answer.result.value).value
    },
    contexts: () => tree({ maxDepth: 0 }),
    /** Runs a function's source with the browser's own powers; arguments and result are JSON. */
    async privileged(source: string, args: readonly string[]): Promise<unknown> {
      const [window] = await tree({ maxDepth: 0, 'moz:scope': 'chrome' })
      const answer = (await send('script.callFunction', {
        functionDeclaration: `async (...args) => JSON.stringify((await (${source})(...args)) ?? null)`,
        arguments: args.map(value => ({ type: 'string', value })),
        target: { context: window?.context },
        awaitPromise: true,
      })) as { result?: { value: string }; exceptionDetails?: { text: string } }
      if (!answer.result) throw new Error(answer.exceptionDetails?.text ?? 'no answer')
      return JSON.parse(answer.result.value)
    },
  }
}

async function pageOf(browser: Browser, context: string): Promise<Page | null> {
  const pages = await browser.pages()
  return pages.find(page => idOf(page) === context) ?? null
}

function idOf(page: Page): string {
  return (page.mainFrame() as unknown as { _id: string })._id
}

const READ_BACKGROUND_STATE = `id => WebExtensionPolicy.getByID(id).extension.backgroundState`

const TERMINATE_BACKGROUND = `id => WebExtensionPolicy.getByID(id).extension.terminateBackground({
  ignoreDevToolsAttached: true,
  disableResetIdleForTest: true,
})`

/** Runs with the window that has tabs, and not with one that a page opened. */
const MAIN_WINDOW = `Array.from(Services.wm.getEnumerator('navigator:browser')).find(window => window.toolbar.visible)`

const IS_SIDEBAR_OPEN = `id => Array.from(WebExtensionPolicy.getByID(id).extension.views).some(view => view.viewType === 'sidebar')`

const FOCUS_SIDEBAR = `id => {
  const view = Array.from(WebExtensionPolicy.getByID(id).extension.views).find(view => view.viewType === 'sidebar')
  ${MAIN_WINDOW}.focus()
  view?.xulBrowser.focus()
}`

const CLOSE_SIDEBAR = `() => { ${MAIN_WINDOW}.SidebarController.hide() }`

const PRESS_BUTTON = `id => {
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs')
  const { extension } = WebExtensionPolicy.getByID(id)
  ExtensionParent.apiManager.global.browserActionFor(extension).triggerAction(${MAIN_WINDOW})
}`

/** The event page and the sidebar live in another process: a frame script carries the expression there and back. */
const EVALUATE_IN_VIEW = `async (id, expression, viewType) => {
  const { extension } = WebExtensionPolicy.getByID(id)
  if (viewType === 'background') await extension.wakeupBackground()
  const view = Array.from(extension.views).find(view => view.viewType === viewType)
  if (!view) return { error: 'there is no ' + viewType }
  const messages = view.xulBrowser.messageManager
  const answer = 'answer-' + Services.uuid.generateUUID()
  const script = '(' + (async (expression, answer) => {
    let outcome
    try {
      const sandbox = new Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false })
      const value = await Cu.evalInSandbox(expression, sandbox)
      outcome = { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)) }
    } catch (error) {
      outcome = { error: String(error) }
    }
    sendAsyncMessage(answer, outcome)
  }) + ')(' + JSON.stringify(expression) + ', ' + JSON.stringify(answer) + ')'
  return await new Promise((resolve, reject) => {
    messages.addMessageListener(answer, message => resolve(message.data))
    if (viewType === 'background')
      extension.once('shutdown-background-script', () => resolve({ error: 'the background was stopped' }))
    messages.loadFrameScript('data:application/javascript;charset=utf-8,' + encodeURIComponent(script), false)
  })
}`
