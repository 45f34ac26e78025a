import { lastAnchors } from '../bitcoin/headers/anchors.ts'
import type { StorageArea } from '../storage/storage-area.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createAddresses } from './accounts/addresses.ts'
import { CONTACTS_KEY, createContacts } from './accounts/contacts.ts'
import { createActivity } from './activity/activity.ts'
import { createBackups } from './backup/backups.ts'
import { createLabelFiles } from './backup/label-files.ts'
import { createBrc20Tickers } from './brc20/brc20-tickers.ts'
import { createCoinAssetStore } from './coins/coin-assets.ts'
import { createCoinChoices } from './coins/coin-choices.ts'
import { createInscriptionProofs } from './collectibles/inscription-proofs.ts'
import { createInscriptionListings } from './collectibles/inscriptions.ts'
import { createConfirmationProofs } from './headers/confirmation-proofs.ts'
import { createHeldHeaders } from './headers/held-headers.ts'
import { createCommitRefunds } from './inscribing/commit-refund.ts'
import { createInscribePlans } from './inscribing/inscribe-plans.ts'
import { refreshJobs } from './inscribing/job-run.ts'
import {
  type Alarms,
  createJobAlarm,
  isUnderWay,
  WATCH_PERIOD_MS,
} from './inscribing/job-schedule.ts'
import { createJobs, listUnrecordedOutpoints } from './inscribing/jobs.ts'
import { createAuthenticRecords } from './keys/authentic-records.ts'
import { createBackupVault } from './keys/backup-vault.ts'
import { createSigner } from './keys/signer.ts'
import { createVault } from './keys/vault.ts'
import { leather } from './leather/translation.ts'
import { methods } from './methods/methods.ts'
import { createMints, isMintWatched, listUnrecordedMints } from './minting/mint-jobs.ts'
import { refreshMints } from './minting/mint-run.ts'
import { listCosignedOutpoints } from './payments/cosigning.ts'
import { createPlans } from './payments/plans.ts'
import { createMutex } from './primitives/mutex.ts'
import type { RandomSource } from './primitives/random-source.ts'
import { createLoadedPsbt } from './psbts/loaded-psbt.ts'
import { createOpenSignatures } from './psbts/open-signatures.ts'
import { createAliasHint } from './requests/alias-hint.ts'
import { createAliasScripts } from './requests/alias-scripts.ts'
import { type ApprovalWindow, createApprovals } from './requests/approvals.ts'
import { dropStale } from './requests/authorisation.ts'
import { createBlockedSites } from './requests/blocked-sites.ts'
import { createDeclines } from './requests/declines.ts'
import { createHttpSites, type PageScripts } from './requests/http-sites.ts'
import { createOkxAlias } from './requests/okx-alias.ts'
import { createPages } from './requests/pages.ts'
import type { ScriptRegistry } from './requests/registered-scripts.ts'
import { createRequests, listPlannedOutpoints } from './requests/requests.ts'
import { createRouter } from './requests/router.ts'
import { createSites, SITES_KEY } from './requests/sites.ts'
import { joinTranslators } from './requests/translation.ts'
import { satsConnect } from './sats-connect/translation.ts'
import { createPushLimit } from './sending/push-limit.ts'
import { createShownTransactions } from './sending/shown-transactions.ts'
import { createLive } from './settings/live.ts'
import { createPrices } from './settings/prices.ts'
import { createServers, SERVER_KEYS_KEY, SERVERS_KEY, type Sources } from './settings/servers.ts'
import { createSettings, pickExpert, SETTINGS_KEY } from './settings/settings.ts'
import { createUnisat } from './unisat/translation.ts'

/** Name of the alarm that wakes the worker for jobs. */
export const JOBS_ALARM = 'jobs'

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
  alarms: Alarms
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
  const { local, session, now, random, log, approvalWindow, alarms } = deps
  const report = (error: unknown) => log('Background', error)

  // Keys, and what only the wallet may write
  const vault = createVault({
    local,
    session,
    now,
    random,
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

  // Settings and servers
  const settings = createSettings({ records })
  const servers = createServers({ records, session, now, random })
  const prices = createPrices({ session, now })
  const sources = deps.sources ?? {
    chain: servers.open,
    assets: servers.openAssets,
    brc20: servers.openBrc20,
    atomicals: servers.openAtomicals,
  }

  // What is proven of the chain
  const heldHeaders = createHeldHeaders({ local, now, anchors: lastAnchors })
  const confirmationProofs = createConfirmationProofs({
    ...{ local, now, headers: heldHeaders, anchors: lastAnchors },
  })

  // Accounts
  const signer = createSigner({ vault })
  const accounts = createAccounts({ vault, session, local })
  const addresses = createAddresses({
    ...{ local, session, now },
    onChange: () => void live.follow(),
  })
  const contacts = createContacts({ records, random })

  // Sites and their requests
  const sites = createSites({ records, now })
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
  const approvals = createApprovals({
    requests,
    window: approvalWindow,
    declines,
    now,
    onChange: deps.onWaiting,
  })
  const pages = createPages({ accounts, sites })

  // What was sent, and coins
  const activity = createActivity({ local, now })
  const pushLimit = createPushLimit({ now })
  const shownTransactions = createShownTransactions({ session })
  const coinChoices = createCoinChoices({ local, now })
  const coinAssets = createCoinAssetStore({ local, session, now })
  const inscriptionProofs = createInscriptionProofs({ local })
  const inscriptionListings = createInscriptionListings({ now })
  const openSignatures = createOpenSignatures({ local })
  const loadedPsbt = createLoadedPsbt({ session })

  // Plans and jobs
  const plans = createPlans({ session, local, records })
  const inscribePlans = createInscribePlans({ session })
  const commitRefunds = createCommitRefunds({ session })
  const jobAlarm = createJobAlarm({
    alarms,
    name: JOBS_ALARM,
    periodMs: WATCH_PERIOD_MS,
    isNeeded: async () =>
      (await jobs.list()).some(job => isUnderWay(job, now())) ||
      (await mints.list()).some(job => isMintWatched(job, now())),
  })
  const jobs = createJobs({
    local,
    guard: jobAlarm.guard,
    onChange: () => void jobAlarm.follow().catch(report),
  })
  const mints = createMints({
    local,
    session,
    guard: jobAlarm.guard,
    onChange: () => void jobAlarm.follow().catch(report),
  })
  const brc20Tickers = createBrc20Tickers({ local })
  const backupVault = createBackupVault({ vault, records, random, now, deriveKey: deps.deriveKey })
  const backups = createBackups({
    ...{ local, backupVault, guard: jobAlarm.guard },
    ...{ accounts, activity, contacts, sites, blockedSites, coinChoices, settings, servers },
    ...{ jobs, mints, plans, addresses },
  })
  const labelFiles = createLabelFiles({
    ...{ local, records, accounts, activity, contacts, coinChoices },
  })

  const parts = {
    ...sources,
    now,
    records,
    settings,
    servers,
    prices,
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
    activity,
    pushLimit,
    shownTransactions,
    coinChoices,
    coinAssets,
    inscriptionProofs,
    inscriptionListings,
    openSignatures,
    loadedPsbt,
    plans,
    inscribePlans,
    commitRefunds,
    jobs,
    mints,
    brc20Tickers,
    backups,
    labelFiles,
    resumeJobs: () => void followJobs().catch(report),
    /** Choosing coins and storing the choice is one step: nobody else chooses in between. */
    planInTurn: createMutex(),
    async listReserved(): Promise<ReadonlySet<string>> {
      const lists = await Promise.all([
        listPlannedOutpoints(requests),
        listUnrecordedOutpoints(jobs),
        listUnrecordedMints(mints),
        listCosignedOutpoints(plans),
      ])
      return new Set(lists.flatMap(outpoints => [...outpoints]))
    },
    announce,
  }
  const live = createLive({
    session,
    now,
    random,
    onNews: () => {
      void refreshJobs(parts, 'news').catch(report)
      void refreshMints(parts, 'news').catch(report)
    },
    async subject() {
      const network = await accounts.network()
      const account = await accounts.selected(network)
      if (!account) return null
      const { chain } = await servers.urls(network)
      return { url: chain, addresses: await addresses.listAwaited(network, account) }
    },
  })
  const translator = joinTranslators(satsConnect, createUnisat(parts), leather)
  const router = createRouter({ wallet: parts, methods, translator, pages, log })

  vault.onLock(async () => {
    await requests.forgetAccounts()
    await loadedPsbt.clear()
    addresses.clear()
    announce()
  })

  return Object.assign(parts, { pages, live, router, followJobs })

  /** To be called after account, network, lock or grants changed: pages hear of it, and requests that no longer stand end. */
  function announce(): void {
    void live.follow()
    deps
      .onChange()
      .then(() => dropStale(parts, methods))
      .then(() => pages.tellAll())
      .then(deps.onPagesTold)
      .catch(report)
  }

  /** Goes on with what is inscribed and minted, whether a page is open or not. */
  async function followJobs(): Promise<void> {
    await jobAlarm.follow()
    await Promise.all([refreshJobs(parts), refreshMints(parts)])
  }
}
