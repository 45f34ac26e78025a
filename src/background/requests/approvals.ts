import { type ProviderError, unauthorized, userRejected } from '../../provider/errors.ts'
import type { ApprovalHistory } from '../history/approval-history.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { ApprovalAnswer } from '../views/approval-history-views.ts'
import type { Review } from '../views/approval-views.ts'
import type { DeclineStore } from './declines.ts'
import type { ApprovalPanels } from './panels.ts'
import {
  asksMore,
  isAgreed,
  isApproved,
  isSameQuestion,
  isStep,
  isWaiting,
  loadReviewDigest,
  parseInput,
  timeToLive,
} from './questions.ts'
import { isConnection, type Requests, type StoredRequest } from './requests.ts'
import { formatWireError } from './wire-error.ts'

/** The one window in which the person answers. */
export type ApprovalWindow = {
  /** Opens the window; brings one that is open to the front if `focus` says so. */
  show(focus: boolean): Promise<void>
  /** Closes it, unless `isIdle` finds at its turn that somebody waits; whether it is closed now. */
  close(isIdle: () => Promise<boolean>): Promise<boolean>
  /** Whether a window was opened before this worker started and is gone now. */
  wasClosedUnseen(): Promise<boolean>
}

type Waiter = { resolve(input: string | null): void; reject(error: ProviderError): void }

/** How long the window stays after the last answer, for its closing words; a new request within it re-uses the window. */
const LINGER_MS = 900
const LINGER_FOR_MORE_MS = 5000

/** How long the page of a panel may take to connect: one that a question was given to, and one that has lost its connection. */
const PANEL_TIMEOUT_MS = 3000
const PANEL_RETURN_MS = 1000

/** How long a request may be worked on before a window opens that says so. */
const PREPARING_AFTER_MS = 500

/**
 * The queue of stored requests that wait for the person. Answers are written to the record first; then
 * whoever waits in this worker is told. A question is asked on one surface: the panel of its tab's browser window where one is
 * open, else the one approval window, which also takes up what a panel that is gone has left. Neither shows anything by itself
 * for a site that was told no again and again, or whose pages leave again and again before anybody has answered.
 */
export function createApprovals(deps: {
  requests: Requests
  window: ApprovalWindow
  panels: ApprovalPanels
  declines: DeclineStore
  /** Keeps what was asked and answered. Where it cannot, the answer counts all the same. */
  history: Pick<ApprovalHistory, 'note'>
  now(): number
  /** Half a second unless given. */
  preparingAfterMs?: number
  onChange(): void
  report(error: unknown): void
}) {
  const { requests, window, panels, declines, history, now, onChange, report } = deps
  const { preparingAfterMs = PREPARING_AFTER_MS } = deps
  const waiters = new Map<string, Waiter>()
  /** Requests that are prepared, with what ends the wait for them; those that have asked nothing yet; those that the person sees. */
  const prepared = new Map<string, (error: ProviderError) => void>()
  const preparing = new Set<string>()
  const announced = new Set<string>()
  /** Sites for which a window opened without a question coming of it: no other opens before they ask one. */
  const fruitless = new Set<string>()
  /** The request that was announced last, and has ended without a question. */
  let unasked: string | null = null
  /** What waited when the person looked for it last: the window stays for that, though its site rests. */
  let sought: readonly string[] = []
  /** How often the wallet was unlocked in this worker's life. */
  let unlocks = 0
  /** Answers are written one after the other, so that no two contradict each other. */
  const serialise = createMutex()

  return {
    prepare,
    ask,
    queue,
    approve,
    note,
    reject,
    rejectAll,
    leave,
    expire,
    releaseUnlocked,
    settle,
    withdraw,
    reconcile,
    show,
    /** The key of the last request that the person saw and that ended without a question; null for none. */
    unasked: () => unasked,
    close: () => window.close(isIdle),
    /** The page of a panel has lost its connection: it closed, or is loaded anew. */
    losePanel: (windowId: number) => watchPanel(windowId, PANEL_RETURN_MS),
  }

  /**
   * Shows the review for a stored request; resolves what was filled in when it is approved, now or in a later life of the
   * worker.
   */
  async function ask(key: string, review: Review): Promise<string | null> {
    preparing.delete(key)
    const before = unlocks
    const digestReview = await loadReviewDigest()
    const record = await requests.require(key)
    if (record.outcome) throw userRejected()
    const isAnnounced = announced.delete(key)
    unasked = null
    const digest = digestReview(record, review)
    if (record.approvedDigest === digest) return record.input
    if (!isStep(review)) fruitless.delete(record.origin)
    const panel = await choosePanel(record)
    // The wallet was unlocked while this looked for the panel: nobody would let it go on any more.
    if (review.kind === 'unlock' && unlocks > before) {
      if (prepared.has(key)) announceLater(key)
      return null
    }
    const asked = await requests.update(key, { review, digest, panel })
    if (asked.outcome) throw userRejected()
    // In a surface that a worker before this one has opened, while this one looked for the panel.
    if (isApproved(asked)) return asked.input
    const answer = new Promise<string | null>((resolve, reject) =>
      waiters.set(key, { resolve, reject }),
    )
    // A rejection between here and the await below would otherwise be reported as unhandled.
    answer.catch(() => {})
    // A request that a page re-sends while the person reads must not take the focus, nor one that is there already.
    const isThere = isAnnounced && asked.panel === record.panel
    await showAsked(asked, record.digest !== digest && !isThere)
    return answer
  }

  async function showAsked(asked: StoredRequest, focus: boolean): Promise<void> {
    onChange()
    if (typeof asked.panel === 'number') watchPanel(asked.panel, PANEL_TIMEOUT_MS)
    else if (!(await isQuiet(asked))) await window.show(focus)
  }

  /**
   * To be called when the work on a request begins that asks before it signs anything. If it has asked nothing within a moment,
   * the person sees who asks and can reject it, but not approve it: `rejected` says so at once. `end` is for when it is over.
   */
  function prepare(key: string): { rejected: Promise<never>; end(): Promise<void> } {
    const rejected = new Promise<never>((_, reject) => prepared.set(key, reject))
    rejected.catch(() => {})
    const timer = announceLater(key)
    return {
      rejected,
      async end() {
        clearTimeout(timer)
        prepared.delete(key)
        preparing.delete(key)
        if (!announced.delete(key)) return
        unasked = key
        const record = await requests.find(key)
        if (record) fruitless.add(record.origin)
        await changed(LINGER_FOR_MORE_MS)
      },
    }
  }

  function announceLater(key: string) {
    preparing.add(key)
    return setTimeout(() => announce(key).catch(report), preparingAfterMs)
  }

  async function announce(key: string): Promise<void> {
    const record = await requests.find(key)
    if (!record || record.outcome || record.approvedDigest || record.journal.signed) return
    // The worker before this one has announced it.
    if (record.review?.kind === 'preparing' && preparing.delete(key)) announced.add(key)
    if (record.review || fruitless.has(record.origin) || (await isQuiet(record))) return
    const review: Review = { kind: 'preparing' }
    const digest = (await loadReviewDigest())(record, review)
    const panel = await choosePanel(record)
    // Its question may have come meanwhile, or it has ended.
    if (!preparing.delete(key)) return
    announced.add(key)
    unasked = null
    const shown = await requests.update(key, { review, digest, panel })
    if (!shown.outcome) await showAsked(shown, true)
  }

  /** The panel beside the tab that asks, by its browser window; null for the approval window, where a question stays. */
  async function choosePanel(record: StoredRequest): Promise<number | null> {
    if (record.panel === null || (await isQuiet(record))) return null
    return panels.findBeside(record.tabId)
  }

  /** Unless the page of this window's panel is connected by then, what it was to show goes on in the approval window. */
  function watchPanel(windowId: number, timeoutMs: number): void {
    setTimeout(() => {
      if (!panels.isConnected(windowId)) leavePanel(windowId).catch(report)
    }, timeoutMs)
  }

  async function leavePanel(windowId: number): Promise<void> {
    const left = await serialise(async () => {
      const shown = (await requests.load()).filter(
        record => isWaiting(record) && record.panel === windowId,
      )
      for (const { key } of shown) await requests.update(key, { panel: null })
      return shown
    })
    if (left.length === 0) return
    onChange()
    await window.show(true)
  }

  /** Brings to the front where the oldest question is asked. */
  async function show(): Promise<void> {
    const waiting = await queue()
    sought = waiting.map(({ key }) => key)
    const [oldest] = waiting
    if (typeof oldest?.panel === 'number') await panels.focus(oldest.panel)
    else await window.show(true)
  }

  /**
   * Requests that wait, oldest first, and last those that cannot be approved yet; requests that one answer settles count once. Of one surface where it is named: the panel of
   * a browser window, or null for the approval window.
   */
  async function queue(surface?: number | null): Promise<StoredRequest[]> {
    const waiting = (await requests.load()).filter(
      record => isWaiting(record) && (surface === undefined || (record.panel ?? null) === surface),
    )
    const isAsked = ({ review }: StoredRequest) => review?.kind !== 'preparing'
    return [...waiting.filter(isAsked), ...waiting.filter(record => !isAsked(record))].filter(
      (record, index, all) => all.findIndex(other => isSameQuestion(other, record)) === index,
    )
  }

  /** Whether nothing waits that the window is open for. */
  async function isIdle(): Promise<boolean> {
    for (const record of await queue(null))
      if (sought.includes(record.key) || !(await isQuiet(record))) return false
    return true
  }

  /** Whether it was asked while no window opens for its site: it waits until the person looks for it. */
  function isQuiet(record: StoredRequest): Promise<boolean> {
    return declines.isResting(record)
  }

  /**
   * Approves the request with this key, if `digest` is what was shown and `assertAllowed` does not throw; the same
   * question of others with it. Takes its turn at once: a window that closes in the same moment comes after it. Resolves
   * whether it is approved, now or before: one that has ended is not. Throws -32602 for an input that does not answer what
   * was asked, which leaves it open.
   */
  async function approve(
    { key, digest, input }: { key: string; digest: string; input: unknown },
    assertAllowed: () => Promise<void>,
  ): Promise<boolean> {
    const { isTaken, hasMore } = await serialise(async () => {
      await assertAllowed()
      const record = await requests.find(key)
      if (!record?.review || !isWaiting(record) || isStep(record.review))
        return { isTaken: record?.approvedDigest === digest, hasMore: false }
      if (record.digest !== digest) {
        throw unauthorized('What was approved is not what was asked; nothing was signed.')
      }
      const read = await parseInput(record.review, input)
      // An amount that was filled in is not agreed to yet.
      if (record.review.kind !== 'brc20-amount')
        await note([{ request: { ...record, input: read }, answer: 'approved' }])
      for (const same of (await requests.load()).filter(other => isSameQuestion(other, record))) {
        await declines.forget(same)
        await requests.update(same.key, { approvedDigest: same.digest, input: read })
        waiters.get(same.key)?.resolve(read)
        waiters.delete(same.key)
      }
      return { isTaken: true, hasMore: asksMore(record.review) }
    })
    await changed(hasMore ? LINGER_FOR_MORE_MS : LINGER_MS)
    return isTaken
  }

  async function reject(key: string): Promise<void> {
    const record = await requests.find(key)
    if (!record) return
    if (isWaiting(record)) await declines.add([record])
    await settle(
      other => isWaiting(record) && isSameQuestion(other, record),
      userRejected(),
      'rejected',
    )
  }

  /** The window was closed: nothing that waits in it goes on. */
  async function rejectAll(): Promise<void> {
    await declines.add(await queue(null))
    const isInWindow = (record: StoredRequest) =>
      isWaiting(record) && typeof record.panel !== 'number'
    await settle(isInWindow, userRejected(), 'closed')
  }

  /** The pages of matching requests are gone: those end as {@link settle} has it, and nobody has answered what was shown of them. */
  async function leave(matches: (record: StoredRequest) => boolean): Promise<void> {
    await declines.leave((await requests.load()).filter(one => isWaiting(one) && matches(one)))
    await settle(matches, userRejected())
  }

  async function expire(): Promise<void> {
    const isLate = (record: StoredRequest) => now() - record.createdAt >= timeToLive(record)
    await settle(isLate, userRejected(), 'expired')
  }

  /** The wallet was unlocked: requests that only waited for that go on. */
  async function releaseUnlocked(): Promise<void> {
    unlocks++
    await serialise(async () => {
      for (const record of await requests.load()) {
        if (record.review?.kind !== 'unlock') continue
        await requests.update(record.key, { review: null, digest: null })
        if (prepared.has(record.key)) announceLater(record.key)
        waiters.get(record.key)?.resolve(null)
        waiters.delete(record.key)
      }
    })
    // Working out what to ask next may take a server's time.
    await changed(LINGER_FOR_MORE_MS)
  }

  /** Ends matching requests with an error, except those that are agreed to or already signed. */
  async function settle(
    matches: (record: StoredRequest) => boolean,
    error: ProviderError,
    answer: ApprovalAnswer = 'ended',
  ): Promise<void> {
    await end(record => !isAgreed(record) && matches(record), error, answer)
  }

  /**
   * Ends matching connections with 4100 that were agreed to and have no answer yet, made or not: to be called before they are
   * taken back.
   */
  async function withdraw(matches: (record: StoredRequest) => boolean): Promise<void> {
    await end(record => isConnection(record) && isAgreed(record) && matches(record), unauthorized())
  }

  async function end(
    matches: (record: StoredRequest) => boolean,
    error: ProviderError,
    answer: ApprovalAnswer = 'ended',
  ): Promise<void> {
    const isEnded = await serialise(async () => {
      const open = (await requests.load()).filter(
        record => !record.journal.signed && !record.outcome,
      )
      const ending = open.filter(matches)
      const wire = formatWireError(error)
      await note(ending.map(request => ({ request, answer, error: wire })))
      for (const record of ending) {
        await requests.update(record.key, { outcome: { error: wire } })
        if (answer !== 'ended') {
          announced.delete(record.key)
          prepared.get(record.key)?.(error)
        }
        waiters.get(record.key)?.reject(error)
        waiters.delete(record.key)
      }
      return ending.length > 0
    })
    // Pages come and go: where nothing ended, the window stays for what it says.
    if (isEnded) await changed()
    else onChange()
  }

  /** Of those that were shown. Before the answer is stored: a worker that dies in between does both again. */
  async function note(ended: Parameters<ApprovalHistory['note']>[0]): Promise<void> {
    const shown = ended.filter(({ request }) => request.review !== null)
    if (shown.length > 0) await history.note(shown).catch(report)
  }

  /** After a start of the worker: a window that was closed meanwhile has rejected what waited in it, a panel nothing. */
  async function reconcile(): Promise<void> {
    if (await window.wasClosedUnseen()) await rejectAll()
    await expire()
    for (const { panel } of await requests.load())
      if (typeof panel === 'number') watchPanel(panel, PANEL_TIMEOUT_MS)
  }

  async function changed(lingerMs = LINGER_MS): Promise<void> {
    onChange()
    if (await isIdle()) setTimeout(() => window.close(isIdle), lingerMs)
  }
}

export type Approvals = ReturnType<typeof createApprovals>
