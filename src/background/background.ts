import type { Runtime } from 'webextension-polyfill'
import { browser } from '../browser/browser.ts'
import { followToolbar } from '../browser/panel.ts'
import { assertLockdown } from '../lockdown/assert-lockdown.ts'
import { ALIAS_QUESTION } from '../provider/okx-alias.ts'
import { closeAreas, localArea, sessionArea, syncArea } from '../storage/extension-area.ts'
import { createWallet, JOBS_ALARM, NOTIFICATIONS_ALARM } from './create-wallet.ts'
import { followSystemLock } from './keys/system-lock.ts'
import { MIGRATIONS } from './migrations.ts'
import { systemNotifications } from './notifications/system-notifications.ts'
import { log } from './primitives/log.ts'
import { randomBytes } from './primitives/random-source.ts'
import { createApprovalWindow, showBadge } from './requests/approval-window.ts'
import { createConnections } from './requests/connections.ts'
import type { PageScripts } from './requests/http-sites.ts'
import { createPanels } from './requests/panels.ts'
import { createUiRouter } from './ui-router.ts'

/**
 * The background worker: makes the wallet and connects it to the browser. All listeners are registered before the first
 * await, so that an event which starts the worker finds them.
 */

/** What both browsers take; the declarations know no listener that has an answer for some messages alone. */
type MessageListener = Runtime.OnMessageListenerCallback

const LOCK_ALARM = 'lock'
const EXPIRE_ALARM = 'expire'
const GRANT_ALARM = 'grant'

assertLockdown()
closeAreas().catch(report)

const { version } = browser.runtime.getManifest()
const session = sessionArea()
const approvalWindow = createApprovalWindow({ session })
const panels = createPanels({ session, onLost: windowId => approvals.losePanel(windowId) })
const wallet = createWallet({
  local: localArea({ migrations: MIGRATIONS, writtenBy: version }),
  sync: syncArea(),
  session,
  now: () => Date.now(),
  random: randomBytes,
  log,
  approvalWindow,
  panels,
  alarms: browser.alarms,
  version,
  notices: systemNotifications(),
  openPage,
  scripting: browser.scripting,
  pageScripts: readPageScripts(),
  permissions: browser.permissions,
  onWaiting: () => void showWaiting().catch(report),
  async onChange() {
    await planAutoLock()
    await planGrantEnd()
  },
  onPagesTold: pokeTabs,
})
const { vault, approvals, router, live, httpSites, sites, settings } = wallet
const connections = createConnections({
  router: {
    ...router,
    connect(page) {
      router.connect(page)
      panels.tellAll()
    },
    async disconnect(page) {
      await router.disconnect(page)
      panels.tellAll()
    },
  },
  ...{ httpSites, id: browser.runtime.id, log },
})
const answerUi = createUiRouter({ wallet, random: randomBytes }, log)

browser.runtime.onConnect.addListener(port => {
  if (port.sender && isOwnPage(port.sender) && (port.name === 'ui' || panels.open(port))) {
    const leave = live.enter()
    port.onDisconnect.addListener(() => void leave().catch(report))
    return
  }
  connections.open(port)
})

browser.runtime.onMessage.addListener(((message, sender, answer) => {
  const answering = answerMessage(message, sender)
  if (!answering) return undefined
  answering.then(answer, error => {
    report(error)
    answer(undefined)
  })
  // The answer comes later.
  return true
}) as MessageListener)

browser.windows.onRemoved.addListener(windowId => {
  approvalWindow
    .forget(windowId)
    .then(closed => (closed ? approvals.rejectAll() : undefined))
    .catch(report)
})

followToolbar(report)

browser.alarms.onAlarm.addListener(({ name }) => {
  const work = {
    [LOCK_ALARM]: planAutoLock,
    [EXPIRE_ALARM]: approvals.expire,
    [GRANT_ALARM]: async () => wallet.announce(),
    [JOBS_ALARM]: wallet.followJobs,
    [NOTIFICATIONS_ALARM]: lookForNews,
  }[name]
  work?.().catch(report)
})

followSystemLock(browser.idle, vault.lock, report)

// Alarms may not outlive the browser; that somebody listens is why the background starts with it.
browser.runtime.onStartup.addListener(() => void wallet.followJobs().catch(report))

const openNotice = (id: string) => void wallet.notifications.open(id).catch(report)
const followPermissions = () => {
  // There only while the person allows notifications; adding it again changes nothing.
  browser.notifications?.onClicked.addListener(openNotice)
  wallet.okxAlias.follow().catch(report)
  httpSites.follow().catch(report)
}
for (const changed of [browser.permissions.onAdded, browser.permissions.onRemoved]) {
  changed.addListener(() => {
    followPermissions()
    wallet.notify('follow').catch(report)
  })
}

browser.runtime.onInstalled.addListener(({ reason }) => {
  if (reason !== 'install') return
  browser.tabs.create({ url: browser.runtime.getURL('src/popup/popup.html') }).catch(report)
})

start().catch(report)
// What is signed waits for no page and no password.
wallet.followJobs().catch(report)

async function start(): Promise<void> {
  // Beside the rest: none waits for another, nor falls with it.
  followPermissions()
  settings
    .load()
    .then(({ toolbarOpens }) => panels.restoreToolbar(toolbarOpens))
    .catch(report)
  await planAutoLock()
  await approvals.reconcile()
  await router.settleOrphans()
  // What the worker was started for comes first. Alarms may not have outlived the browser.
  if (!(await browser.alarms.get(NOTIFICATIONS_ALARM))) wallet.notify('follow').catch(report)
  await planGrantEnd()
}

/** Sets the alarm for the deadline; at the deadline, looking at the vault locks it. It is looked at on every use too. */
async function planAutoLock(): Promise<void> {
  const when = (await vault.status()) === 'unlocked' ? await vault.autoLockAt() : null
  if (when === null) await browser.alarms.clear(LOCK_ALARM)
  else await browser.alarms.create(LOCK_ALARM, { when })
}

/** Sets the alarm for the next connection that ends by itself: its pages hear of it then. It is looked at on every use too. */
async function planGrantEnd(): Promise<void> {
  const when = await sites.nextEnd()
  if (when !== null) await browser.alarms.create(GRANT_ALARM, { when })
}

/** Content scripts without a connection connect again if their page ever spoke to the wallet; the message says nothing. */
async function pokeTabs(): Promise<void> {
  const tabs = await browser.tabs.query({})
  await Promise.all(
    tabs.map(({ id }) =>
      // Most tabs have no content script of ours that listens.
      id === undefined ? null : browser.tabs.sendMessage(id, 'poke').catch(() => {}),
    ),
  )
}

/** The alarm of a wallet that was erased ends with this. */
async function lookForNews(): Promise<void> {
  if (!(await wallet.notify('look'))) await browser.alarms.clear(NOTIFICATIONS_ALARM)
}

/** In a tab of its own: what the person is about in another one stays. */
async function openPage(path: string): Promise<void> {
  const url = browser.runtime.getURL(`src/popup/popup.html#${path}`)
  // Without a window there is nothing to put a tab in.
  const { windowId } = await browser.tabs
    .create({ url })
    .catch(async () => ({ windowId: (await browser.windows.create({ url })).id }))
  if (windowId !== undefined) await browser.windows.update(windowId, { focused: true })
}

async function showWaiting(): Promise<void> {
  const { length } = await approvals.queue()
  await showBadge(length)
  if (length === 0) await browser.alarms.clear(EXPIRE_ALARM)
  else if (!(await browser.alarms.get(EXPIRE_ALARM))) {
    await browser.alarms.create(EXPIRE_ALARM, { periodInMinutes: 1 })
  }
}

/** The files that the manifest has for pages, by their world; the build names them. */
function readPageScripts(): PageScripts {
  const scripts = browser.runtime.getManifest().content_scripts ?? []
  const list = (isOfPage: boolean) =>
    scripts
      .filter(script => ('world' in script && script.world === 'MAIN') === isOfPage)
      .flatMap(({ js = [] }) => js)
      // Firefox gives whole addresses, and takes none.
      .map(path => new URL(path, browser.runtime.getURL('')).pathname.slice(1))
  return { inpage: list(true), content: list(false) }
}

function answerMessage(
  message: unknown,
  sender: Runtime.MessageSender,
): Promise<unknown> | undefined {
  if (isOwnPage(sender)) return answerUi(message)
  // Of a content script, whose address the browser tells; a sandboxed page has no origin, and may have the aliases.
  if (message === ALIAS_QUESTION && sender.id === browser.runtime.id)
    return wallet.okxAlias.isFor(sender.url)
  return undefined
}

/** Popup, tab or approval window of this extension; content scripts have the same id but another address. */
function isOwnPage(sender: Runtime.MessageSender): boolean {
  if (sender.id !== browser.runtime.id) return false
  return sender.url?.startsWith(browser.runtime.getURL('')) ?? false
}

function report(error: unknown): void {
  log('Background', error)
}
