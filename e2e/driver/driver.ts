/**
 * Drives the built extension in a real browser from plain Node:
 *
 *     const wallet = await launch({ browser: 'chromium' })          // or 'firefox'
 *     await wallet.importWallet({ words: 'abandon … about', password: 'correct horse' })
 *     await wallet.chooseNetwork('Regtest', 'http://127.0.0.1:3002')
 *
 *     const dapp = await wallet.openDapp('http://127.0.0.1:8080/')
 *     const answer = dapp.request('connect')                        // does not reject: see Outcome
 *     const approval = await wallet.nextApproval()
 *     console.log(approval.title, await approval.text())
 *     await approval.approve()                                      // or reject(), close()
 *     console.log(await answer)                                     // { result: { address, … } }
 *
 *     const hang = await wallet.hangBackground({ call: 'fetch', containing: '/tx', when: 'after' })
 *     …
 *     await hang.reached()
 *     await wallet.killBackground()                                 // back when it has stopped
 *     await wallet.close()
 *
 * `popup()` opens the toolbar popup's page as a tab; it and every approval are a `Screen`
 * (driver/screen.ts): click, fill, find by ARIA role and accessible name. Functions given to `evaluate`
 * and `evaluateInBackground` are sent as source: they see only their JSON arguments. The background's own
 * globals cannot be changed; in a copy of the build by hooked-extension.ts, `fetch` and the clock can.
 *
 * The browsers are found by provision.ts; the extension is `dist/chrome` or `dist/firefox`. Profiles are
 * temporary unless `profileDir` names one, which then outlives `close()` and can be launched again.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'puppeteer-core'
import { findChromium, findFirefox } from '../commands/provision.ts'
import { type Approval, readApproval } from './approval.ts'
import { launchChromium } from './chromium.ts'
import { type Dapp, describeDapp } from './dapp.ts'
import { endBrowser } from './end-browser.ts'
import {
  type BrowserName,
  callExpression,
  type Engine,
  poll,
  retryHang,
  type Sidebar,
} from './engine.ts'
import { launchFirefox } from './firefox.ts'
import { armHangPoint, type HangPoint } from './hang-point.ts'
import { describeScreen, type Screen } from './screen.ts'
import {
  type CreateOptions,
  chooseAccount,
  chooseNetwork,
  createWallet,
  type ImportOptions,
  importWallet,
  lock,
  type NetworkName,
  type PreparedWallet,
  restoreWallet,
  type ServedNetwork,
  setUpOnRegtest,
  unlock,
} from './wallet-setup.ts'

export type { Approval } from './approval.ts'
export type { Dapp, Outcome } from './dapp.ts'
export type { Screen } from './screen.ts'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const POPUP_PATH = 'src/popup/popup.html'
/** As the toolbar popup is. */
const POPUP_SIZE = { width: 360, height: 600 }
/** As the extension opens it. */
const APPROVAL_SIZE = { width: 400, height: 680 }
const DAPP_SIZE = { width: 1180, height: 860 }

export type LaunchOptions = {
  browser: BrowserName
  /** True unless said otherwise. */
  headless?: boolean
  /** A folder that is kept; without it a temporary profile is made and removed at `close()`. */
  profileDir?: string
  /** The unpacked extension, by default this repository's build for the browser. */
  extensionDir?: string
  /** Further command line arguments of the browser. */
  args?: readonly string[]
  /** Whether sandboxed frames of Chromium have a process of their own, which puppeteer switches off. */
  isolateFrames?: boolean
  /** Further preferences of Firefox. */
  prefs?: { [name: string]: string | number | boolean }
  /** Whether Ctrl-C closes the browser and exits, which is so unless said otherwise. */
  handleSignals?: boolean
}

export type StorageDump = {
  local: { [key: string]: unknown }
  session: { [key: string]: unknown }
  sync: { [key: string]: unknown }
}

export type Wallet = {
  browserName: BrowserName
  /** For what this driver has no word for. */
  browser: Browser
  /** `chrome-extension://<id>/` or `moz-extension://<uuid>/`. */
  extensionUrl: string
  profileDir: string
  importWallet(options: ImportOptions): Promise<void>
  /** The same, on regtest with devnet's servers, and without the screens. */
  setUpOnRegtest(options: ImportOptions & { esploraUrl: string }): Promise<void>
  /** The same on any network, for a wallet that is stored as it is, unlocked. */
  restoreWallet(prepared: PreparedWallet & ServedNetwork): Promise<void>
  /** Gives the new wallet's words. */
  createWallet(options: CreateOptions): Promise<string>
  unlock(password: string): Promise<void>
  lock(): Promise<void>
  /** Chooses the network and, where given, the Esplora server that it is read from. */
  chooseNetwork(network: NetworkName, esploraUrl?: string): Promise<void>
  /** Chooses the account whose entry in the list begins so, such as `Account 1 Taproot`. */
  chooseAccount(name: string): Promise<void>
  /** A fresh tab with the popup's page, or another page of the extension. */
  popup(path?: string): Promise<Screen>
  openDapp(url: string): Promise<Dapp>
  /** The request that the approval window shows, waiting until there is one (30 s unless said). */
  nextApproval(options?: { timeout?: number }): Promise<Approval>
  /** Waits until the approval window says that a request is being worked out. */
  nextPreparing(): Promise<Screen>
  /** How many approval windows are open. */
  countApprovalWindows(): Promise<number>
  /** Waits until no approval window is open. */
  waitForNoApproval(timeout?: number): Promise<void>
  /** Runs `fn` in the frame of a page of ours whose address ends so; there must be one. */
  evaluateInFrame<A extends readonly unknown[], R>(
    screen: Screen,
    ending: string,
    fn: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>>
  isBackgroundRunning(): Promise<boolean>
  /** Ends the service worker (Chromium) or event page (Firefox); returns when it has stopped. */
  killBackground(): Promise<void>
  /** Runs `fn` in the background, which is started if it does not run. */
  evaluateInBackground<A extends readonly unknown[], R>(
    fn: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>>
  /** Firefox's, with the wallet's page; null in Chromium, whose side panel `panel.ts` drives. */
  sidebar: Sidebar | null
  /** Makes one later call of the background hang for ever, so that it can be killed right there. */
  hangBackground(point: HangPoint): Promise<{ reached(timeout?: number): Promise<void> }>
  /** Everything in the extension's storage; does not start the background. */
  storageDump(): Promise<StorageDump>
  close(): Promise<void>
}

/** Starts a browser with the extension in it. */
export async function launch(options: LaunchOptions): Promise<Wallet> {
  const firefox = options.browser === 'firefox'
  const executablePath = firefox ? findFirefox() : findChromium()
  if (!executablePath)
    throw new Error(`No ${options.browser}: run npx tsx e2e/commands/provision.ts`)
  const extensionDir = resolve(
    options.extensionDir ?? join(ROOT, 'dist', firefox ? 'firefox' : 'chrome'),
  )
  if (!existsSync(join(extensionDir, 'manifest.json'))) {
    throw new Error(`No extension in ${extensionDir}: run npm run build`)
  }
  const profileDir = options.profileDir
    ? resolve(options.profileDir)
    : mkdtempSync(join(tmpdir(), 'satchel-profile-'))
  mkdirSync(profileDir, { recursive: true })
  const removeProfile = () => {
    if (!options.profileDir) rmSync(profileDir, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const isHeadless = options.headless ?? true
    const engine = await retryHang(() =>
      (firefox ? launchFirefox : launchChromium)({
        executablePath,
        extensionDir,
        profileDir,
        headless: isHeadless,
        args: options.args ?? [],
        isolateFrames: options.isolateFrames ?? false,
        prefs: options.prefs ?? {},
        handleSignals: options.handleSignals ?? true,
      }),
    )
    return describeWallet(engine, { profileDir, removeProfile, isHeadless })
  } catch (error) {
    removeProfile()
    throw error
  }
}

type Setting = { profileDir: string; removeProfile: () => void; isHeadless: boolean }

function describeWallet(
  engine: Engine,
  { profileDir, removeProfile, isHeadless }: Setting,
): Wallet {
  /** Pages of the extension that this driver opened: they are not approval windows. */
  const ownPages = new Set<Page>()

  const openExtensionPage = async (path: string): Promise<Screen> => {
    const page = await engine.openTab(`${engine.extensionUrl}${path}`, POPUP_SIZE)
    ownPages.add(page)
    page.once('close', () => ownPages.delete(page))
    return describeScreen(page)
  }

  const withPopup = async <T>(work: (screen: Screen) => Promise<T>): Promise<T> => {
    const screen = await openExtensionPage(POPUP_PATH)
    try {
      return await work(screen)
    } finally {
      await screen.close()
    }
  }

  const listApprovalPages = async () =>
    (await engine.extensionPages())
      .filter(({ page, url }) => !ownPages.has(page) && url.includes('approval'))
      .map(({ page }) => page)

  /** Headless Chromium gives every window the same size, whatever was asked. */
  const sized = new WeakSet<Page>()
  const showAsOpened = async (page: Page) => {
    if (!isHeadless || engine.name !== 'chromium' || sized.has(page)) return
    sized.add(page)
    await page.setViewport(APPROVAL_SIZE)
  }

  const evaluateInBackground = async <A extends readonly unknown[], R>(
    fn: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> =>
    (await engine.evaluateInBackground(callExpression(fn, args))) as Awaited<R>

  const evaluateInFrame = async <A extends readonly unknown[], R>(
    screen: Screen,
    ending: string,
    fn: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> => {
    const expression = callExpression(fn, args)
    return (await engine.evaluateInFrame(screen.page, ending, expression)) as Awaited<R>
  }

  return {
    browserName: engine.name,
    browser: engine.browser,
    extensionUrl: engine.extensionUrl,
    profileDir,
    importWallet: options => withPopup(screen => importWallet(screen, options)),
    setUpOnRegtest: options => withPopup(screen => setUpOnRegtest(screen, options)),
    async restoreWallet(options) {
      // Any file of the extension has its origin's powers as a page; this one runs no code.
      const screen = await openExtensionPage('manifest.json')
      try {
        await restoreWallet(screen, options, engine.killBackground)
      } finally {
        await screen.close()
      }
    },
    createWallet: options => withPopup(screen => createWallet(screen, options)),
    unlock: password => withPopup(screen => unlock(screen, password)),
    lock: () => withPopup(lock),
    chooseNetwork: (network, esploraUrl) =>
      withPopup(screen => chooseNetwork(screen, network, esploraUrl)),
    chooseAccount: name => withPopup(screen => chooseAccount(screen, name)),
    popup: (path = POPUP_PATH) => openExtensionPage(path),
    openDapp: async url => describeDapp(await engine.openTab(url, DAPP_SIZE), url),
    nextApproval: ({ timeout = 30_000 } = {}) =>
      poll('an approval window', timeout, async () => {
        for (const page of await listApprovalPages()) {
          const approval = await readApproval(page)
          if (!approval) continue
          await showAsOpened(page)
          return approval
        }
        return null
      }),
    nextPreparing: () =>
      poll('a request that is being worked out', 30_000, async () => {
        for (const page of await listApprovalPages()) {
          const isPreparing = await page.$('[data-testid="preparing"]').catch(() => null)
          if (isPreparing) return describeScreen(page)
        }
        return null
      }),
    countApprovalWindows: async () => (await listApprovalPages()).length,
    waitForNoApproval: (timeout = 30_000) =>
      poll('the approval window to close', timeout, async () =>
        (await listApprovalPages()).length === 0 ? undefined : null,
      ),
    evaluateInFrame,
    isBackgroundRunning: engine.isBackgroundRunning,
    killBackground: engine.killBackground,
    evaluateInBackground,
    sidebar: engine.sidebar,
    hangBackground: point => armHangPoint(engine, point),
    async storageDump() {
      // Any file of the extension has its origin's powers as a page; this one runs no code.
      const screen = await openExtensionPage('manifest.json')
      try {
        return await screen.evaluate(readStorage)
      } finally {
        await screen.close()
      }
    },
    async close() {
      await endBrowser(engine.browser)
      removeProfile()
    },
  }
}

/** Runs in a page of the extension. */
async function readStorage(): Promise<StorageDump> {
  type Area = { get(keys: null): Promise<{ [key: string]: unknown }> }
  const { chrome } = globalThis as unknown as {
    chrome: { storage: { local: Area; session: Area; sync: Area } }
  }
  const { local, session, sync } = chrome.storage
  return {
    local: await local.get(null),
    session: await session.get(null),
    sync: await sync.get(null),
  }
}
