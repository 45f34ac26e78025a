// history: What sites asked the person and what came of it, for 90 days, in local storage. It promises bounds in number and
// bytes that no site can break, for itself or at the cost of another's approvals; it holds beginnings of texts, never a PSBT
// or a secret, and no site reads it.

import { toUtf8 } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { WireError } from '../../provider/errors.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { digestOf } from '../primitives/digest.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { AnswerFilter, ApprovalAnswer, AskedEntry } from '../views/approval-history-views.ts'
import type { Review } from '../views/approval-views.ts'
import { clip, readChosen, summariseReview } from './asked-question.ts'
import { listTxids } from './listed-txids.ts'
import { parseEntries } from './stored-entries.ts'

/** A request that was shown to the person, as it was when it was answered or ended. */
export type AskedRequest = {
  key: string
  origin: string
  purpose: string
  createdAt: number
  accountId: string | null
  network: Network | null
  review: Review | null
  /** What was filled in. */
  input: string | null
}

/** How it ended. `result` is what the page gets; never for an operation whose result is a secret. */
export type Ended = { answer: ApprovalAnswer; error?: WireError; result?: unknown }

export type ApprovalHistory = {
  /** Keeps how requests ended, in one write; the same again changes nothing. */
  note(ended: readonly (Ended & { request: AskedRequest })[]): Promise<void>
  /** Of all sites, or of one; the newest first. */
  list(chosen: { origin: string | null; answer: AnswerFilter }): Promise<AskedEntry[]>
  /** Forgets what all sites asked, or one. */
  clear(origin: string | null): Promise<void>
  /** Drops what is older than 90 days. */
  prune(): Promise<void>
}

const STORAGE_KEY = 'approvalHistory'

const DAY_MS = 24 * 60 * 60_000
/** How long an entry is kept. */
const KEPT_MS = 90 * DAY_MS

/** Bytes are of JSON. */
type Bound = { count: number; bytes: number }

export const MOST_OF_SITE: Bound = { count: 200, bytes: 64_000 }
export const MOST_IN_ALL: Bound = { count: 2_000, bytes: 512_000 }
/** The part of a bound that what was approved may take, newest first; the rest is for everything else. */
const APPROVED_PART = 0.75

/** One answer settles repeated questions of these kinds: what ends within so long of each other is one entry. */
const SHARED_KINDS = ['connect', 'switch-network', 'unlock']
const TOGETHER_MS = 10_000

export function createApprovalHistory(deps: {
  local: StorageArea
  now(): number
}): ApprovalHistory {
  const { local, now } = deps
  const inTurn = createMutex()

  return {
    note: ended =>
      change(before => ended.reduce((entries, one) => withEnded(entries, one, now()), before)),
    async list({ origin, answer }) {
      const entries = (await load()).filter(
        entry =>
          (origin === null || entry.origin === origin) &&
          (answer === 'all' || (entry.answer === 'approved') === (answer === 'approved')),
      )
      return newestFirst(entries)
    },
    clear: origin =>
      change(entries => (origin === null ? [] : entries.filter(one => one.origin !== origin))),
    prune: () => change(entries => entries),
  }

  /** Those that are not too old. */
  async function load(): Promise<AskedEntry[]> {
    const entries = parseEntries(await local.get(STORAGE_KEY))
    return entries.filter(({ endedAt }) => now() - endedAt < KEPT_MS)
  }

  function change(next: (entries: readonly AskedEntry[]) => readonly AskedEntry[]): Promise<void> {
    return inTurn(async () => {
      const stored = await local.get(STORAGE_KEY)
      const before = await load()
      const after = withinBounds(next(before))
      if (after.length === 0) {
        if (stored !== undefined) await local.remove(STORAGE_KEY)
        return
      }
      const isSame = Array.isArray(stored) && stored.length === after.length
      if (isSame && after.every((entry, at) => entry === before[at])) return
      await local.set({ [STORAGE_KEY]: after })
    })
  }
}

function withEnded(
  entries: readonly AskedEntry[],
  { request, answer, error, result }: Ended & { request: AskedRequest },
  now: number,
): readonly AskedEntry[] {
  const { key, origin, createdAt, network, review, input } = request
  // Of an account that cannot be connected, nothing was asked.
  const accountId =
    review?.kind === 'choose-account' ? (readChosen(input)?.accountId ?? null) : request.accountId
  const id = digestOf({ key, createdAt }).slice(0, 24)
  const known = entries.find(entry => entry.id === id)
  const asked = review && summariseReview(review, input)
  // A device's step, or an unlock in between, belongs to the question before.
  const question = (asked?.kind === 'unlock' ? known?.question : null) ?? asked ?? known?.question
  if (!question) return entries
  const fresh: AskedEntry = {
    ...{ id, origin, at: createdAt, endedAt: known?.endedAt ?? now },
    ...{ accountId, network, method: request.purpose, question, answer },
    // That the person said no is the answer.
    reason: error && error.code !== 4001 ? clip(String(error.data?.reason ?? error.message)) : null,
    txids: result === undefined || !review ? (known?.txids ?? []) : listTxids(review, result),
  }
  if (known) {
    if (digestOf(known) === digestOf(fresh)) return entries
    return entries.map(entry => (entry === known ? { ...fresh, endedAt: now } : entry))
  }
  const isShared = (other: AskedEntry) =>
    SHARED_KINDS.includes(question.kind) &&
    Math.abs(now - other.endedAt) < TOGETHER_MS &&
    digestOf(withoutMoment(other)) === digestOf(withoutMoment(fresh))
  return entries.some(isShared) ? entries : [...entries, fresh]
}

function withoutMoment({ id: _, at: __, endedAt: ___, method: ____, ...rest }: AskedEntry) {
  return rest
}

/** Each site within its bound, then all of them within theirs; in their order. */
function withinBounds(entries: readonly AskedEntry[]): readonly AskedEntry[] {
  const origins = new Set(entries.map(({ origin }) => origin))
  const ofSites = [...origins].flatMap(origin =>
    fitTo(
      entries.filter(entry => entry.origin === origin),
      MOST_OF_SITE,
    ),
  )
  const kept = new Set(fitTo(ofSites, MOST_IN_ALL))
  return kept.size === entries.length ? entries : entries.filter(entry => kept.has(entry))
}

/** The newest that fit; what a site asked in vain never takes the place of what was approved. */
function fitTo(entries: readonly AskedEntry[], most: Bound): AskedEntry[] {
  const isApproved = ({ answer }: AskedEntry) => answer === 'approved' || answer === 'failed'
  const approved = takeNewest(entries.filter(isApproved), {
    count: most.count * APPROVED_PART,
    bytes: most.bytes * APPROVED_PART,
  })
  const others = takeNewest(
    entries.filter(entry => !isApproved(entry)),
    { count: most.count - approved.length, bytes: most.bytes - sumOf(approved) },
  )
  return [...approved, ...others]
}

function takeNewest(entries: readonly AskedEntry[], most: Bound): AskedEntry[] {
  const newest = newestFirst(entries).slice(0, most.count)
  let bytes = 0
  return newest.filter(entry => {
    bytes += sizeOf(entry)
    return bytes <= most.bytes
  })
}

/** Of two of one moment, the one that was stored later comes first. */
function newestFirst(entries: readonly AskedEntry[]): AskedEntry[] {
  return [...entries].reverse().sort((a, b) => b.endedAt - a.endedAt)
}

function sumOf(entries: readonly AskedEntry[]): number {
  return entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
}

function sizeOf(entry: AskedEntry): number {
  return toUtf8(JSON.stringify(entry)).length
}
