import browser, { type Runtime } from 'webextension-polyfill'
import { localArea, sessionArea } from '../storage/extension-area.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createContacts } from './accounts/contacts.ts'
import { createActivity } from './activity/activity.ts'
import { createBrc20Tickers } from './brc20/brc20-tickers.ts'
import { createCoinAssetStore } from './coins/coin-assets.ts'
import { createCoinChoices } from './coins/coin-choices.ts'
import { createInscriptionListings } from './collectibles/inscription-listings.ts'
import { createInscriptionProofs } from './collectibles/inscription-proofs.ts'
import { createInscribePlans } from './inscribing/inscribe-plans.ts'
import { createJobAlarm } from './inscribing/job-alarm.ts'
import { isUnderWay, WATCH_PERIOD_MS } from './inscribing/job-pace.ts'
import { refreshJobs } from './inscribing/job-run.ts'
import { createJobs } from './inscribing/jobs.ts'
import { createSigner } from './keys/signer.ts'
import { createVault } from './keys/vault.ts'
import { createPlans } from './payments/plans.ts'
import { log } from './primitives/log.ts'
import { createMutex } from './primitives/mutex.ts'
import { randomBytes } from './primitives/random-source.ts'
import { createOpenSignatures } from './psbts/open-signatures.ts'
import { createApprovalWindow } from './requests/approval-window.ts'
import { createApprovals } from './requests/approvals.ts'
import { dropStale } from './requests/authorisation.ts'
import { showBadge } from './requests/badge.ts'
import { createOkxAlias } from './requests/okx-alias.ts'
import { createPages, type PagePort } from './requests/pages.ts'
import { createRequests } from './requests/requests.ts'
import { createRouter } from './requests/router.ts'
import { createSites } from './requests/sites.ts'
import { createShownTransactions } from './sending/shown-transactions.ts'
import { createLive } from './settings/live.ts'
import { createPrices } from './settings/prices.ts'
import { createServers } from './settings/servers.ts'
import { createSettings } from './settings/settings.ts'
import { createUiRouter } from './ui-router.ts'
import type { Wallet } from './wallet.ts'

/** The only wiring: parts, then listeners. All listeners are registered before the first await. */

const LOCK_ALARM = 'lock'
const EXPIRE_ALARM = 'expire'
const JOBS_ALARM = 'jobs'

const now = () => Date.now()
const local = localArea()
const session = sessionArea()

// Keys and their users
const vault = createVault({ local, session, now, random: randomBytes })
const signer = createSigner({ vault })
const accounts = createAccounts({ vault, session, local })

// Pages and their requests
const sites = createSites({ local, now })
const requests = createRequests({ session, now })
const approvalWindow = createApprovalWindow({ session })
const approvals = createApprovals({
  requests,
  window: approvalWindow,
  now,
  onChange: () => void showWaiting().catch(report),
})

const servers = createServers({ local, session, now, random: randomBytes })
const jobAlarm = createJobAlarm({
  alarms: browser.alarms,
  name: JOBS_ALARM,
  periodMs: WATCH_PERIOD_MS,
  isNeeded: async () => (await wallet.jobs.list()).some(job => isUnderWay(job, now())),
})
const wallet: Wallet = {
  vault,
  signer,
  accounts,
  sites,
  settings: createSettings({ local }),
  okxAlias: createOkxAlias({ local, network: () => accounts.network() }),
  requests,
  approvals,
  activity: createActivity({ local, now }),
  contacts: createContacts({ local, random: randomBytes }),
  coinChoices: createCoinChoices({ local, now }),
  coinAssets: createCoinAssetStore({ local, session, now }),
  inscriptionProofs: createInscriptionProofs({ local }),
  inscriptionListings: createInscriptionListings({ now }),
  plans: createPlans({ session }),
  inscribePlans: createInscribePlans({ session }),
  jobs: createJobs({
    local,
    guard: jobAlarm.guard,
    onChange: () => void jobAlarm.follow().catch(report),
  }),
  brc20Tickers: createBrc20Tickers({ local }),
  shownTransactions: createShownTransactions({ session }),
  openSignatures: createOpenSignatures({ local }),
  servers,
  prices: createPrices({ session, now }),
  chain: servers.open,
  assets: servers.openAssets,
  brc20: servers.openBrc20,
  atomicals: servers.openAtomicals,
  now,
  planInTurn: createMutex(),
  announce,
}
const pages = createPages(wallet)
const live = createLive({
  session,
  now,
  random: randomBytes,
  onNews: () => void refreshJobs(wallet, 'news').catch(report),
  async subject() {
    const network = await accounts.network()
    const account = await accounts.selected(network)
    return account && { url: (await servers.urls(network)).chain, address: account.address }
  },
})
vault.onLock(async () => {
  await requests.forgetAccounts()
  announce()
})
const router = createRouter({ wallet, pages, log })
const answerUi = createUiRouter({ wallet, random: randomBytes }, log)

browser.runtime.onConnect.addListener(port => {
  if (port.name === 'ui' && port.sender && isOwnPage(port.sender)) {
    const leave = live.enter()
    port.onDisconnect.addListener(() => void leave().catch(report))
    return
  }
  const page = describePage(port)
  if (!page) return port.disconnect()
  router.connect(page)
  port.onMessage.addListener(message => void router.receive(page, message))
  port.onDisconnect.addListener(() => void router.disconnect(page).catch(report))
})

browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
  if (!isOwnPage(sender)) return undefined
  return answerUi(message)
})

browser.windows.onRemoved.addListener(windowId => {
  approvalWindow
    .forget(windowId)
    .then(closed => (closed ? approvals.rejectAll() : undefined))
    .catch(report)
})

browser.alarms.onAlarm.addListener(({ name }) => {
  const work = {
    [LOCK_ALARM]: planAutoLock,
    [EXPIRE_ALARM]: approvals.expire,
    [JOBS_ALARM]: lookAtJobs,
  }[name]
  work?.().catch(report)
})

// Alarms may not outlive the browser; that somebody listens is why the background starts with it.
browser.runtime.onStartup.addListener(() => void lookAtJobs().catch(report))

browser.runtime.onInstalled.addListener(({ reason }) => {
  if (reason !== 'install') return
  browser.tabs.create({ url: browser.runtime.getURL('src/popup/popup.html') }).catch(report)
})

start().catch(report)
// What is signed waits for no page and no password.
lookAtJobs().catch(report)

async function start(): Promise<void> {
  // Beside the rest: neither waits for the other, nor falls with it.
  wallet.okxAlias.follow().catch(report)
  await planAutoLock()
  await approvals.reconcile()
  await router.settleOrphans()
}

/** What is inscribed goes on, whether a page is open or not. */
async function lookAtJobs(): Promise<void> {
  await jobAlarm.follow()
  await refreshJobs(wallet)
}

/** Sets the alarm for the deadline; at the deadline, looking at the vault locks it. It is looked at on every use too. */
async function planAutoLock(): Promise<void> {
  const when = (await vault.status()) === 'unlocked' ? await vault.autoLockAt() : null
  if (when === null) await browser.alarms.clear(LOCK_ALARM)
  else await browser.alarms.create(LOCK_ALARM, { when })
}

function announce(): void {
  void live.follow()
  wallet.okxAlias
    .follow()
    .catch(report)
    .then(planAutoLock)
    .then(() => dropStale(wallet))
    .then(() => pages.tellAll())
    .then(pokeTabs)
    .catch(report)
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

async function showWaiting(): Promise<void> {
  const { length } = await approvals.queue()
  await showBadge(length)
  if (length === 0) await browser.alarms.clear(EXPIRE_ALARM)
  else if (!(await browser.alarms.get(EXPIRE_ALARM))) {
    await browser.alarms.create(EXPIRE_ALARM, { periodInMinutes: 1 })
  }
}

/**
 * Origin, tab and frame as the browser knows them. A sandboxed frame has the origin "null" and the url of the site
 * that embeds it, so the url is never used; frames other than the top one are not served.
 */
function describePage(port: Runtime.Port): PagePort | null {
  const { sender } = port
  const origin = sender && 'origin' in sender ? sender.origin : undefined
  const tabId = sender?.tab?.id
  if (port.name !== 'page' || sender?.id !== browser.runtime.id) return null
  if (typeof origin !== 'string' || !/^https?:\/\//.test(origin)) return null
  if (tabId === undefined || sender.frameId !== 0) return null
  return {
    origin,
    tabId,
    frameId: sender.frameId,
    post(message) {
      try {
        port.postMessage(message)
      } catch (error) {
        // The page left in this moment; its disconnect is on its way.
        log('A page could not be answered', error)
      }
    },
  }
}

/** Popup, tab or approval window of this extension; content scripts have the same id but another address. */
function isOwnPage(sender: Runtime.MessageSender): boolean {
  if (sender.id !== browser.runtime.id) return false
  return sender.url?.startsWith(browser.runtime.getURL('')) ?? false
}

function report(error: unknown): void {
  log('Background', error)
}
