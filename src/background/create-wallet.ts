import type { StorageArea } from '../storage/storage-area.ts'
import { createAccounts } from './accounts/accounts.ts'
import { CONTACTS_KEY } from './accounts/contacts-key.ts'
import { findMethod } from './find-method.ts'
import { createCommitRefunds } from './inscribing/commit-refund-store.ts'
import { type Alarms, createJobAlarm, WATCH_PERIOD_MS } from './inscribing/job-alarm.ts'
import { createAuthenticRecords } from './keys/authentic-records.ts'
import { createVault } from './keys/vault.ts'
import { leather } from './leather/translation.ts'
import { areOn, NOTIFICATIONS_KEY } from './notifications/notification-switch.ts'
import type { Notifications } from './notifications/notifications.ts'
import type { SystemNotifications } from './notifications/system-notifications.ts'
import { laterPart } from './primitives/later-part.ts'
import { createMutex } from './primitives/mutex.ts'
import type { RandomSource } from './primitives/random-source.ts'
import { createLoadedPsbt } from './psbts/loaded-psbt-store.ts'
import { createAliasHint } from './requests/alias-hint.ts'
import { createAliasScripts } from './requests/alias-scripts.ts'
import { type ApprovalWindow, createApprovals } from './requests/approvals.ts'
import { createBlockedSites } from './requests/blocked-sites.ts'
import { createDeclines } from './requests/declines.ts'
import { createHttpSites, type PageScripts } from './requests/http-sites.ts'
import { createOkxAlias } from './requests/okx-alias.ts'
import { createPages } from './requests/pages.ts'
import type { Panels } from './requests/panels.ts'
import type { ScriptRegistry } from './requests/registered-scripts.ts'
import { createRequests } from './requests/requests.ts'
import { createRouter } from './requests/router.ts'
import { createSites, SITES_KEY } from './requests/sites.ts'
import { joinTranslators } from './requests/translation.ts'
import { satsConnect } from './sats-connect/translation.ts'
import { createPushLimit } from './sending/push-limit.ts'
import { createChosenServers, SERVER_KEYS_KEY, SERVERS_KEY } from './settings/chosen-servers.ts'
import { createLive } from './settings/live.ts'
import { createOneTimeNotices } from './settings/one-time-notices.ts'
import type { Sources } from './settings/servers.ts'
import { createSettings, parseSettings, pickExpert, SETTINGS_KEY } from './settings/settings.ts'
import { hasStoredJobs } from './stored-jobs.ts'
import { createUnisat } from './unisat/translation.ts'

/** Name of the alarm that wakes the worker for jobs. */
export const JOBS_ALARM = 'jobs'
/** And for notifications. */
export const NOTIFICATIONS_ALARM = 'notifications'

/** What the wallet needs from outside: storage, time, randomness, servers, the browser's windows and alarms, and the scripts it adds to pages. */
export type WalletDeps = ScriptRegistry & {
  pageScripts: PageScripts
  local: StorageArea
  session: StorageArea
  /** The area that content scripts can read. */
  sync: StorageArea
  now(): number
  random: RandomSource
  log(message: string, error: unknown): void
  approvalWindow: ApprovalWindow
  panels: Panels
  alarms: Alarms
  /** Of the extension. */
  version: string
  notices: SystemNotifications
  /** Opens a page of the wallet, by its path. */
  openPage(path: string): Promise<void>
  /** How long a request is worked on before the person sees that; half a second unless given. */
  preparingAfterMs?: number
  /** Argon2id unless given. */
  deriveKey?: Parameters<typeof createVault>[0]['deriveKey']
  /** The servers that the person chose unless given. */
  sources?: Sources
  /** Called when requests begin or cease to wait for the person. */
  onWaiting(): void
  /** Called after account, network, lock or grants changed, before pages hear of it. */
  onChange(): Promise<void>
  /** Called once all connected pages have heard of such a change. */
  onPagesTold(): Promise<void>
}

/** All parts of the wallet. Functions name the few of them that they use in types of their own, such as `CoinParts`. */
export type Wallet = ReturnType<typeof createWallet>

/**
 * Makes all parts of the wallet and joins them: the only place that does, for background.ts and for tests. Nothing is read
 * and no server is asked before a part is used.
 */
export function createWallet(deps: WalletDeps) {
  const { local, session, now, random, log, approvalWindow, panels, alarms } = deps
  const report = (error: unknown) => log('Background', error)

  // Keys, and what only the wallet may write
  const vault = createVault({
    ...{ local, session, now, random },
    ...(deps.deriveKey && { deriveKey: deps.deriveKey }),
  })
  const records = createAuthenticRecords({
    local,
    vault,
    random,
    parts: {
      [SITES_KEY]: sites => sites,
      [CONTACTS_KEY]: contacts => contacts,
      [SERVERS_KEY]: servers => servers,
      [SERVER_KEYS_KEY]: keys => keys,
      [SETTINGS_KEY]: pickExpert,
    },
  })

  const isThere = async () => (await vault.status()) !== 'none'

  // Settings and servers
  const settings = createSettings({ records })
  const chosenServers = createChosenServers({ records })
  const servers = laterPart(async () =>
    (await import('./settings/servers.ts')).createServers({ records, session, now, random }),
  )
  const prices = laterPart(async () =>
    (await import('./settings/prices.ts')).createPrices({ session, now }),
  )
  const sources = deps.sources ?? {
    chain: servers.open,
    assets: servers.openAssets,
    brc20: servers.openBrc20,
    atomicals: servers.openAtomicals,
    names: servers.openNames,
  }

  // What is proven of the chain
  const checkedHeights = laterPart(async () =>
    (await import('./headers/checked-heights.ts')).createCheckedHeights({ local }),
  )
  const chain: Sources['chain'] = async network => {
    const { limitToChecked } = await import('./headers/checked-heights.ts')
    return limitToChecked(sources.chain, checkedHeights)(network)
  }
  const heldHeaders = laterPart(async () => {
    const { lastAnchors: anchors } = await import('../bitcoin/headers/anchors.ts')
    return (await import('./headers/held-headers.ts')).createHeldHeaders({ local, now, anchors })
  })
  const confirmationProofs = laterPart(async () => {
    const { lastAnchors: anchors } = await import('../bitcoin/headers/anchors.ts')
    const { createConfirmationProofs } = await import('./headers/confirmation-proofs.ts')
    return createConfirmationProofs({ local, now, headers: heldHeaders, anchors, isThere })
  })

  // Accounts
  const signer = laterPart(async () => (await import('./keys/signer.ts')).createSigner({ vault }))
  const accounts = createAccounts({ vault, session, local })
  const { hasEnded } = accounts
  const addresses = laterPart(async () =>
    (await import('./accounts/addresses.ts')).createAddresses({
      ...{ local, session, now, hasEnded },
      onChange: () => void live.follow(),
    }),
  )
  const contacts = laterPart(async () =>
    (await import('./accounts/contacts.ts')).createContacts({ records, random }),
  )

  // Sites and their requests
  const sites = createSites({
    ...{ records, local, now, report },
    unlockedAt: vault.unlockedAt,
    unusedDays: async () => parseSettings(await local.get(SETTINGS_KEY)).disconnectUnusedDays,
  })
  const blockedSites = createBlockedSites({ local, now })
  const declines = createDeclines({ session, now })
  const okxAlias = createOkxAlias({
    local,
    hint: createAliasHint({ local, sync: deps.sync, random }),
    scripts: createAliasScripts(deps),
    report,
  })
  const httpSites = createHttpSites({ ...deps, report })
  const requests = createRequests({ session, now })
  const approvalHistory = laterPart(async () =>
    (await import('./history/approval-history.ts')).createApprovalHistory({ local, now }),
  )
  const approvals = createApprovals({
    ...{ requests, declines, now, report, panels, history: approvalHistory },
    ...(deps.preparingAfterMs !== undefined && { preparingAfterMs: deps.preparingAfterMs }),
    window: approvalWindow,
    onChange: deps.onWaiting,
  })
  const pages = createPages({ accounts, sites })

  // What was sent, and coins
  const activity = laterPart(async () =>
    (await import('./activity/activity.ts')).createActivity({ local, now, hasEnded }),
  )
  const pushLimit = createPushLimit({ now })
  const shownTransactions = laterPart(async () =>
    (await import('./sending/shown-transactions.ts')).createShownTransactions({ session }),
  )
  const coinChoices = laterPart(async () =>
    (await import('./coins/coin-choices.ts')).createCoinChoices({ local, now }),
  )
  const coinAssets = laterPart(async () =>
    (await import('./coins/coin-assets.ts')).createCoinAssetStore({ ...deps, hasEnded }),
  )
  const inscriptionProofs = laterPart(async () =>
    (await import('./collectibles/inscription-proofs.ts')).createInscriptionProofs({
      ...{ local, isThere },
    }),
  )
  const inscriptionListings = laterPart(async () =>
    (await import('./collectibles/inscriptions.ts')).createInscriptionListings({ now }),
  )
  const inscriptionSorting = laterPart(async () =>
    (await import('./collectibles/inscription-sorting.ts')).createInscriptionSorting(deps),
  )
  const openSignatures = laterPart(async () =>
    (await import('./psbts/open-signatures.ts')).createOpenSignatures({ local }),
  )
  const loadedPsbt = createLoadedPsbt({ session })

  const paymentNames = laterPart(async () =>
    (await import('./names/payment-names.ts')).createPaymentNames({
      ...{ session, now, names: sources.names },
    }),
  )

  // Plans and jobs
  const plans = laterPart(async () =>
    (await import('./payments/plans.ts')).createPlans({ session, local, records }),
  )
  const inscribePlans = laterPart(async () =>
    (await import('./inscribing/inscribe-plans.ts')).createInscribePlans({ session }),
  )
  const commitRefunds = createCommitRefunds({ session })
  const jobAlarm = createJobAlarm({
    alarms,
    name: JOBS_ALARM,
    periodMs: WATCH_PERIOD_MS,
    async isNeeded() {
      if (!(await hasStoredJobs(local))) return false
      return (await import('./follow-jobs.ts')).areUnderWay(parts)
    },
  })
  const followJobAlarm = () => void jobAlarm.follow().catch(report)
  const jobs = laterPart(async () =>
    (await import('./inscribing/jobs.ts')).createJobs({
      ...{ local, guard: jobAlarm.guard, onChange: followJobAlarm },
    }),
  )
  const mints = laterPart(async () =>
    (await import('./minting/mint-jobs.ts')).createMints({
      ...{ local, session, guard: jobAlarm.guard, onChange: followJobAlarm },
    }),
  )
  const brc20Tickers = laterPart(async () =>
    (await import('./brc20/brc20-tickers.ts')).createBrc20Tickers({ local, hasEnded }),
  )
  const backupVault = laterPart(async () =>
    (await import('./keys/backup-vault.ts')).createBackupVault({
      ...{ vault, records, random, now, deriveKey: deps.deriveKey },
    }),
  )
  const backups = laterPart(async () =>
    (await import('./backup/backups.ts')).createBackups({
      ...{ local, backupVault, guard: jobAlarm.guard },
      ...{ accounts, activity, contacts, sites, blockedSites, coinChoices, settings, servers },
      ...{ jobs, mints, plans, addresses, inscriptionSorting },
    }),
  )
  const labelFiles = laterPart(async () =>
    (await import('./backup/label-files.ts')).createLabelFiles({
      ...{ local, records, accounts, activity, contacts, coinChoices },
    }),
  )

  const notifications: Notifications = laterPart(async () =>
    (await import('./notifications/notifications.ts')).createNotifications({
      ...{ local, session, now, alarms, alarmName: NOTIFICATIONS_ALARM },
      ...{ permissions: deps.permissions, system: deps.notices, openPage: deps.openPage },
      ...{ chain, heldHeaders, checkedHeights },
      ...{ vault, settings, accounts, addresses, activity, jobs, mints },
    }),
  )

  const parts = {
    ...sources,
    chain,
    now,
    oneTimeNotices: createOneTimeNotices(deps),
    records,
    settings,
    chosenServers,
    servers,
    prices,
    checkedHeights,
    heldHeaders,
    confirmationProofs,
    vault,
    signer,
    accounts,
    addresses,
    contacts,
    sites,
    blockedSites,
    declines,
    okxAlias,
    httpSites,
    requests,
    approvals,
    approvalHistory,
    activity,
    pushLimit,
    shownTransactions,
    coinChoices,
    coinAssets,
    inscriptionProofs,
    inscriptionListings,
    inscriptionSorting,
    openSignatures,
    loadedPsbt,
    paymentNames,
    plans,
    inscribePlans,
    commitRefunds,
    jobs,
    mints,
    brc20Tickers,
    backups,
    labelFiles,
    notifications,
    pages,
    panels,
    resumeJobs: () => void followJobs().catch(report),
    /** Choosing coins and storing the choice is one step: nobody else chooses in between. */
    planInTurn: createMutex(),
    listReserved: async (): Promise<ReadonlySet<string>> =>
      (await import('./reserved-coins.ts')).listReserved(parts),
    announce,
  }
  const live = createLive({
    session,
    now,
    random,
    onNews: () =>
      void refreshBoth('news')
        .then(() => notify('look'))
        .catch(report),
    async subject() {
      const network = await accounts.network()
      const account = await accounts.selected(network)
      if (!account) return null
      const { chain } = await chosenServers.urls(network)
      return { url: chain, addresses: await addresses.listAwaited(network, account) }
    },
  })
  const translator = joinTranslators(satsConnect, createUnisat(parts), leather)
  const router = createRouter({ wallet: parts, find: findMethod, translator, pages, log })

  vault.onLock(async () => {
    await requests.forgetAccounts()
    await loadedPsbt.clear()
    await approvalHistory.prune().catch(report)
    void addresses.clear().catch(report)
    announce()
  })

  return Object.assign(parts, { live, router, followJobs, notify })

  /** To be called after account, network, lock or grants changed: pages hear of it, and requests that no longer stand end. */
  function announce(): void {
    void live.follow()
    void notify('follow').catch(report)
    deps
      .onChange()
      .then(async () => (await import('./requests/authorisation.ts')).dropStale(parts, findMethod))
      // Pages hear of it all the same.
      .catch(report)
      .then(() => pages.tellAll())
      .then(deps.onPagesTold)
      .catch(report)
  }

  /** Goes on with what is inscribed and minted, whether a page is open or not. */
  async function followJobs(): Promise<void> {
    await jobAlarm.follow()
    await refreshBoth('due')
    await notify('lookAtJobs')
  }

  /** Whoever leaves notifications off needs no code for them; resolves whether they are on. */
  async function notify(what: 'follow' | 'look' | 'lookAtJobs'): Promise<boolean> {
    const on = areOn(await local.get(NOTIFICATIONS_KEY))
    if (on) await notifications[what]()
    return on
  }

  /** Most wallets have no jobs, and need no code for them when they start. */
  async function refreshBoth(mode: 'due' | 'news'): Promise<void> {
    if (!(await hasStoredJobs(local))) return
    await (await import('./follow-jobs.ts')).refreshAll(parts, mode, report)
  }
}
