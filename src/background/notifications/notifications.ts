// notifications: The browser's own notifications of what happened while nobody looked: payments of the account in use that
// came, were confirmed or replaced, and jobs. It promises that nobody who leaves them off pays for them with a request, that each
// event is told once, and that nothing in them was written by a stranger. It never signs, and changes nothing but what it was told.

import type { Network } from '../../bitcoin/network.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import type { Activity } from '../activity/activity.ts'
import { listKnown, toEntry } from '../activity/activity-entries.ts'
import { type ChainStateParts, checkDoubted } from '../headers/chain-state.ts'
import type { CheckedHeights } from '../headers/checked-heights.ts'
import { type Alarms, createJobAlarm } from '../inscribing/job-alarm.ts'
import type { Jobs } from '../inscribing/jobs.ts'
import type { Vault } from '../keys/vault.ts'
import type { Mints } from '../minting/mint-jobs.ts'
import type { Clock } from '../primitives/clock.ts'
import { createMutex } from '../primitives/mutex.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { NotificationChoices, NotificationsView } from '../views/settings-views.ts'
import { isFeeCheckDue, judgeFees, type ToldFees } from './fee-alert.ts'
import { findJobEvents, type ToldJobs } from './job-events.ts'
import {
  type AccountEvents,
  type Events,
  parseNoticeId,
  type Subject,
  writeFeeNotice,
  writeNotices,
} from './notice-text.ts'
import { loadNoticeWords } from './notice-words.ts'
import { checkChoices, parseChoices } from './notification-choices.ts'
import { areOn, NOTIFICATIONS_KEY } from './notification-switch.ts'
import { findPaymentEvents, type Payment, type ToldPayments } from './payment-events.ts'
import type { Notice, SystemNotifications } from './system-notifications.ts'
import { createWatchedAccount, type WatchedAccount } from './watched-account.ts'

/** A public server is asked this often at most while nobody looks. */
const PERIOD_MS = 5 * 60_000

/** Local storage: what was told, and what is about to be. */
const TOLD_KEY = 'notifications.told'

/** Notifications that a browser did not show; the oldest are given up. */
const MOST_QUEUED = 20

/** Each part is null until it begins: what is there by then is not told of. */
type Told = {
  subject: Subject | null
  payments: ToldPayments | null
  jobs: ToldJobs | null
  fees?: ToldFees | null
  /** Written along with what it tells of, and empty once it was shown. */
  queue: Notice[]
}

const NOTHING: Told = { subject: null, payments: null, jobs: null, queue: [] }

export type NotificationDeps = Pick<Sources, 'chain'> &
  Pick<ChainStateParts, 'heldHeaders'> &
  Clock & {
    checkedHeights: Pick<CheckedHeights, 'load' | 'set' | 'listNetworks'>
    local: StorageArea
    session: StorageArea
    alarms: Alarms
    /** Name of the alarm that wakes the worker while they are on. */
    alarmName: string
    permissions: { contains(wanted: { permissions: ['notifications'] }): Promise<boolean> }
    system: SystemNotifications
    /** Opens a page of the wallet, such as `/activity`. */
    openPage(path: string): Promise<void>
    vault: Pick<Vault, 'status'>
    settings: Pick<SettingsStore, 'load'>
    accounts: Pick<Accounts, 'network' | 'selected'>
    addresses: Pick<Addresses, 'list' | 'listAwaited' | 'listUsed'>
    activity: Pick<Activity, 'load' | 'refresh'>
    jobs: Pick<Jobs, 'list'>
    mints: Pick<Mints, 'list'>
  }

/** All of it is read when somebody first switches notifications on. */
export function createNotifications(deps: NotificationDeps) {
  const { local, session, accounts, addresses, activity, system, alarms, permissions } = deps
  const inTurn = createMutex()
  const watched = createWatchedAccount({
    ...{ session, accounts, addresses },
    refreshHistory: (chain, account, own) => activity.refresh(chain, account, own),
  })
  const alarm = createJobAlarm({
    ...{ alarms, name: deps.alarmName, periodMs: PERIOD_MS },
    isNeeded: isUsable,
  })

  return {
    view,

    /** Stores what is given and leaves the rest. Throws -32602 that names the first member that cannot be. */
    async change(patch: unknown): Promise<NotificationsView> {
      const checked = checkChoices(patch)
      await inTurn(async () => {
        const before = parseChoices(await local.get(NOTIFICATIONS_KEY))
        const next = { ...before, ...checked }
        const begins = next.on !== before.on
        await local.set({ [NOTIFICATIONS_KEY]: next, ...(begins && { [TOLD_KEY]: null }) })
      })
      // Asked for again, the browser may give it without a question.
      if (checked.on === false) await system.release().catch(() => {})
      await follow()
      return view()
    },

    /** To be called when they may have become possible or impossible, and when account, network or lock changed. */
    follow,

    /** Looks whether something happened, and tells of it. */
    look: () => inTurn(() => lookAt('all')),

    /** The same of jobs alone, without asking anybody. */
    lookAtJobs: () => inTurn(() => lookAt('jobs')),

    /** Opens what a notification was about, where the account in use is still the one that it is of. */
    async open(id: string): Promise<void> {
      const about = parseNoticeId(id)
      if (!about) return
      const subject = await watched.find()
      const isOther =
        subject !== null &&
        (subject.network !== about.network || subject.accountId !== about.accountId)
      await deps.openPage(isOther ? '/' : about.path)
      await system.clear(id).catch(() => {})
    },
  }

  async function view(): Promise<NotificationsView> {
    return { ...parseChoices(await local.get(NOTIFICATIONS_KEY)), state: await stateOf() }
  }

  async function isUsable(): Promise<boolean> {
    return areOn(await local.get(NOTIFICATIONS_KEY)) && (await isAllowed())
  }

  function isAllowed(): Promise<boolean> {
    return permissions.contains({ permissions: ['notifications'] }).catch(() => false)
  }

  async function stateOf(): Promise<NotificationsView['state']> {
    if (!(await isAllowed())) return 'not-allowed'
    const level = await system.level().catch(() => null)
    if (level === null) return 'unavailable'
    return level === 'denied' ? 'blocked' : 'allowed'
  }

  async function follow(): Promise<void> {
    await alarm.follow()
    await inTurn(async () => {
      if (!(await isUsable())) {
        await watched.forget()
        // Switched on or allowed again, they begin anew.
        if (await local.get(TOLD_KEY)) await local.remove(TOLD_KEY)
        return
      }
      const subject = await watched.find()
      const told = await loadTold()
      if (told.jobs === null || (subject && !isOf(subject, told))) await lookAt('all')
    })
  }

  async function lookAt(what: 'all' | 'jobs'): Promise<void> {
    if (!(await isUsable())) return
    // What an earlier worker had written down and did not live to show.
    await showQueue()
    const told = await loadTold()
    const [jobs, mints] = await Promise.all([deps.jobs.list(), deps.mints.list()])
    const forJobs = findJobEvents(told.jobs, { jobs, mints }, deps.now())
    const jobTxids = new Set([
      ...jobs.flatMap(({ transactions }) => transactions.map(({ txid }) => txid)),
      ...mints.flatMap(({ txids }) => txids),
    ])
    const subject = what === 'all' ? await watched.find() : null
    if (subject) await checkDoubted(deps)
    const forPayments = subject && (await findPayments(subject, told, jobTxids))
    const forFees = subject && (await findFees(subject, told.fees ?? null))
    const next: Told = {
      ...{ ...told, ...forPayments?.next, jobs: forJobs.next },
      ...(forFees && { fees: forFees.next }),
    }
    const queue = await write({ payments: forPayments, jobs: forJobs.events })
    await saveTold({ ...next, queue: [...queue, ...(forFees?.notices ?? [])] }, told)
    await showQueue()
  }

  /** Null where the account's history was never fetched. */
  async function findPayments(
    subject: WatchedAccount,
    told: Told,
    jobTxids: ReadonlySet<string>,
  ): Promise<(AccountEvents & { next: Pick<Told, 'subject' | 'payments'> }) | null> {
    const { network, accountId } = subject
    const before = isOf(subject, told) ? told.payments : null
    const isFresh = await refresh(subject, before === null)
    if (before === null && !isFresh) return null
    const { ledger, records } = await activity.load(network, accountId)
    const payments = listKnown({ ledger, records }, true).map((known): Payment => {
      const source = { network, accountId, labels: {}, names: new Map() }
      const { txid, kind, status, net, height, replacedBy } = toEntry(source, known)
      const { record, row } = known
      return {
        ...{ txid, kind, status, net, height, replacedBy },
        ...{ isOwn: record !== undefined, spends: row?.spends ?? [] },
      }
    })
    const oldest = ledger.next === null ? 0 : (ledger.rows.at(-1)?.height ?? 0)
    const { events, next } = findPaymentEvents(before, payments, { isFresh, oldest, jobTxids })
    const of = { network, accountId }
    const isTrue = await Promise.all(
      events.map(async ({ is, txid }) => is !== 'gone' || !(await isThere(network, txid))),
    )
    const trueEvents = events.filter((_, at) => isTrue[at])
    return { subject: of, events: trueEvents, next: { subject: of, payments: next } }
  }

  /** What paid an address that the account has no more is in its history no more, and is there all the same. */
  async function isThere(network: Network, txid: string): Promise<boolean> {
    const answer = (await deps.chain(network)).fetchTransactionHeight(txid)
    return (await nullIfUnanswered(answer.then(height => ({ height }))))?.height !== undefined
  }

  /** Whether fees have come under what the person set; null where nothing is set, nobody answered, or it is too soon to ask. */
  async function findFees(
    { network, accountId }: WatchedAccount,
    told: ToldFees | null,
  ): Promise<{ notices: Notice[]; next: ToldFees } | null> {
    const { feeAlert: limit, language } = await deps.settings.load()
    const at = deps.now()
    if (limit === null || !isFeeCheckDue(told, { network, limit }, at)) return null
    try {
      const { halfHour: rate } = await (await deps.chain(network)).fetchFeeRates()
      const { isNews, next } = judgeFees(told, { network, limit, at, rate })
      const words = await loadNoticeWords(language, system.languages())
      return { notices: isNews ? [writeFeeNotice({ network, accountId }, next, words)] : [], next }
    } catch (error) {
      if (error instanceof BackendUnavailableError) return null
      throw error
    }
  }

  /** A server that does not answer is asked the next time. */
  async function refresh(subject: WatchedAccount, isWanted: boolean): Promise<boolean> {
    try {
      return await subject.refresh(await deps.chain(subject.network), isWanted)
    } catch (error) {
      if (error instanceof BackendUnavailableError) return false
      throw error
    }
  }

  async function write(events: Events): Promise<Notice[]> {
    if ((events.payments?.events.length ?? 0) + events.jobs.length === 0) return []
    const choices: NotificationChoices = parseChoices(await local.get(NOTIFICATIONS_KEY))
    const { language, hideAmounts } = await deps.settings.load()
    const withAmounts =
      choices.amounts && !hideAmounts && (await deps.vault.status()) === 'unlocked'
    const words = await loadNoticeWords(language, system.languages())
    return writeNotices(events, choices, words, withAmounts)
  }

  /** Each is shown unless it is there already; one that was shown and dismissed before a worker died comes a second time. */
  async function showQueue(): Promise<void> {
    const told = await loadTold()
    if (told.queue.length === 0) return
    const shown = new Set(await system.listShown())
    for (const notice of told.queue) if (!shown.has(notice.id)) await system.show(notice)
    await saveTold({ ...told, queue: [] }, told)
  }

  /** Only this module writes it. */
  async function loadTold(): Promise<Told> {
    return ((await local.get(TOLD_KEY)) as Told | null | undefined) ?? NOTHING
  }

  async function saveTold(next: Told, before: Told): Promise<void> {
    // They were switched off, or the wallet erased, while somebody was asked.
    if (!areOn(await local.get(NOTIFICATIONS_KEY))) return
    const queue = next.queue.slice(-MOST_QUEUED)
    if (JSON.stringify({ ...next, queue }) !== JSON.stringify(before))
      await local.set({ [TOLD_KEY]: { ...next, queue } })
  }
}

export type Notifications = ReturnType<typeof createNotifications>

function isOf({ network, accountId }: Subject, { subject }: Told): boolean {
  return subject?.network === network && subject.accountId === accountId
}
