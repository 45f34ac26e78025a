import type { Network } from '../bitcoin/network.ts'
import type { WireError } from '../provider/errors.ts'
import type { ImplementedMethod } from '../provider/methods.ts'
import type { StorageArea } from '../storage/storage-area.ts'
import type { Review } from './ui-methods/ui-methods.ts'

/**
 * A page's request that needs a person, as a stored record: the promise that somebody awaits is a courtesy.
 * It survives the end of the background worker; a re-sent request finds its record by `key` and goes on.
 */
export type StoredRequest = {
  /** origin, tab, frame and the page's own id of the request. */
  key: string
  origin: string
  tabId: number
  frameId: number
  id: string
  method: ImplementedMethod
  params: unknown[]
  createdAt: number
  /** Pinned when the request is first looked at with the wallet open. */
  accountId: string | null
  network: Network | null
  /** What the person is asked, and the digest that an approval must name. */
  review: Review | null
  digest: string | null
  approved: boolean
  /** Results of steps that must happen once, by name. */
  journal: { [step: string]: unknown }
  outcome: { result: unknown } | { error: WireError } | null
}

/** After this long an unanswered request counts as rejected, and an answered one is forgotten. */
export const REQUEST_TTL_MS = 10 * 60_000

/** Answers kept for pages that come back for them. */
const MAX_ANSWERED = 50

const STORAGE_KEY = 'requests'

/** Stored requests, oldest first. Memory is a cache of session storage; writes happen in order. */
export function createRequests({ session, now }: { session: StorageArea; now(): number }) {
  let records: StoredRequest[] | null = null
  let writing: Promise<void> = Promise.resolve()

  return { load, find, add, update, purge }

  async function load(): Promise<readonly StoredRequest[]> {
    records ??= readRecords(await session.get(STORAGE_KEY))
    return records
  }

  async function find(key: string): Promise<StoredRequest | undefined> {
    return (await load()).find(record => record.key === key)
  }

  async function add(record: StoredRequest): Promise<void> {
    await load()
    await write([...(records ?? []), record])
  }

  /** Changes a record and resolves it once the change is stored; a record that has an outcome does not change again. */
  async function update(key: string, patch: Partial<StoredRequest>): Promise<StoredRequest> {
    await load()
    const record = records?.find(candidate => candidate.key === key)
    if (!record) throw new Error(`No stored request ${key}`)
    if (record.outcome) return record
    const changed = { ...record, ...patch }
    await write((records ?? []).map(candidate => (candidate.key === key ? changed : candidate)))
    return changed
  }

  /** Forgets answers that nobody came back for. */
  async function purge(): Promise<void> {
    await load()
    const answered = (records ?? []).filter(record => record.outcome)
    const kept = new Set(
      answered.filter(record => now() - record.createdAt < REQUEST_TTL_MS).slice(-MAX_ANSWERED),
    )
    if (kept.size === answered.length) return
    await write((records ?? []).filter(record => !record.outcome || kept.has(record)))
  }

  function write(next: StoredRequest[]): Promise<void> {
    records = next
    writing = writing.then(() => session.set({ [STORAGE_KEY]: records }))
    return writing
  }
}

export type Requests = ReturnType<typeof createRequests>

/** Session storage is written by this module alone, so its shape is trusted. */
function readRecords(value: unknown): StoredRequest[] {
  return Array.isArray(value) ? value : []
}
