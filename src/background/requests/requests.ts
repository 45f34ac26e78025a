import type { Network } from '../../bitcoin/network.ts'
import { tooManyPending, userRejected, type WireError } from '../../provider/errors.ts'
import type { MethodName } from '../../provider/method-names.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { jsonSize } from '../primitives/json-size.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { Review } from '../views/approval-views.ts'

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
  method: MethodName
  /** The operation that this one is a step of; the same as `method` where it is none. */
  purpose: MethodName
  params: unknown[]
  createdAt: number
  /** Pinned when the request is first looked at with the wallet open, empty where the person is to choose one; the network at once where the call is for one alone. */
  accountId: string | null
  network: Network | null
  /** The account's address for ordinals, pinned with it. */
  ordinals?: string | null
  /** What the person is asked, and the digest that an approval must name. */
  review: Review | null
  digest: string | null
  /** The digest that the person approved; it stays when something else is asked in between. */
  approvedDigest: string | null
  /** What the person filled in with that; null where nothing was asked. */
  input: string | null
  /** The browser window in whose panel it is asked; null for the window of its own; left out until it is asked. */
  panel?: number | null
  /** Results of steps that must happen once, by name. */
  journal: { [step: string]: unknown }
  outcome: { result: unknown } | { error: WireError } | null
}

/** After this long an unanswered request counts as rejected, and an answered one is forgotten. */
export const REQUEST_TTL_MS = 10 * 60_000

/** Answers kept for pages that come back for them. */
const MAX_ANSWERED = 50

/**
 * Session storage holds 10 MB for everything. These are bytes of JSON: of what the requests hold together on their way
 * (parameters, review, journal), and of it what one origin may have sent. The rest is room for answers, which are never
 * refused, and for other parts of the wallet.
 */
const MAX_STORED = 8_000_000
const MAX_SENT_PER_ORIGIN = 5_000_000

/** The places of the requests, oldest first. Each has a place of its own: written whole, all of them went to the browser with every step of one. */
const STORAGE_KEY = 'requests'

const placeKey = (place: number) => `${STORAGE_KEY}.${place}`

const partKey = (place: number, name: string) => `${placeKey(place)}.${name}`

/** Parts of a record whose JSON has more bytes are stored apart: a picture or a large PSBT went to every window with each step. */
const LARGE = 10_000

/** `apart` names the parts that were stored apart at this place. */
type Placed = { place: number; record: StoredRequest; apart: readonly string[] }

/**
 * Stored requests, oldest first. Memory is a copy of what session storage holds: a change counts once it is written, and
 * one that cannot be written changes nothing. Throws -32002 where there is no room.
 */
export function createRequests({ session, now }: { session: StorageArea; now(): number }) {
  let stored: readonly Placed[] | null = null
  const inTurn = createMutex()

  return {
    load,
    find,
    require,
    has,
    add,
    update,
    forget,
    purge,
    forgetAccounts,
    clear: () => change(() => []),
  }

  /** Waits for writes that are under way: windows hear of a change in storage before the worker hears that it was written. */
  function load(): Promise<readonly StoredRequest[]> {
    return inTurn(async () => listRecords(await read()))
  }

  async function read(): Promise<readonly Placed[]> {
    stored ??= await readStored(session)
    return stored
  }

  async function find(key: string): Promise<StoredRequest | undefined> {
    return (await load()).find(record => record.key === key)
  }

  /** Throws 4001 for one that is forgotten: it has ended. */
  async function require(key: string): Promise<StoredRequest> {
    const record = await find(key)
    if (!record) throw userRejected()
    return record
  }

  /** Whether it is stored, or a step of what was translated. */
  async function has(key: string): Promise<boolean> {
    return (await load()).some(record => [record.key, outerKeyOf(record.key)].includes(key))
  }

  async function add(record: StoredRequest): Promise<void> {
    await change(stored => {
      const next = withoutStale(stored)
      const ofOrigin = next.filter(({ origin, outcome }) => !outcome && origin === record.origin)
      const sent = sumOf([...ofOrigin, record].map(({ params }) => jsonSize(params)))
      if (sent > MAX_SENT_PER_ORIGIN) throw tooManyPending()
      return makeRoom([...next, record])
    })
  }

  /**
   * Changes a record and resolves it once the change is stored; a record that has an outcome does not change again. With
   * its outcome a record lets go of everything that only its way there needed. Throws 4001 for one that is forgotten.
   */
  async function update(key: string, patch: Partial<StoredRequest>): Promise<StoredRequest> {
    const isTarget = (record: StoredRequest) => record.key === key && !record.outcome
    const isSigned = (record: StoredRequest) => isTarget(record) && record.journal.signed
    const isSmall = (part: unknown) => part !== undefined && !isLarge(part)
    const left = { params: [], review: null, digest: null, input: null, journal: {} }
    const rest = patch.outcome ? left : {}
    // Found at once: a lock that comes meanwhile may have it forgotten right after it is written.
    let updated: StoredRequest | undefined
    await change(stored => {
      const next = stored.map(record =>
        isTarget(record) ? { ...record, ...patch, ...rest } : record,
      )
      updated = next.find(record => record.key === key)
      if (patch.outcome) return dropAnswers(next, key)
      // Once something is signed, its request is stored even where there is no room: also that a job is, which goes on by itself.
      const noReturn = isSmall(patch.journal?.signed) || stored.some(isSigned)
      return !noReturn && (patch.review || patch.journal) ? makeRoom(next) : next
    })
    if (!updated) throw userRejected()
    return updated
  }

  async function forget(key: string): Promise<void> {
    await change(stored => stored.filter(record => record.key !== key))
  }

  /** Forgets answers that nobody came back for. */
  async function purge(): Promise<void> {
    await change(withoutStale)
  }

  /** Forgets answers that name an account; asked for again, they are worked out anew. An error names none, and may be on its way. */
  async function forgetAccounts(): Promise<void> {
    const namesAccount = (record: StoredRequest) =>
      record.outcome && 'result' in record.outcome && isConnection(record)
    await change(stored => stored.filter(record => !namesAccount(record)))
  }

  function withoutStale(stored: readonly StoredRequest[]): readonly StoredRequest[] {
    const fresh = stored
      .filter(({ outcome, createdAt }) => outcome && now() - createdAt < REQUEST_TTL_MS)
      .slice(-MAX_ANSWERED)
    return stored.filter(record => !record.outcome || fresh.includes(record))
  }

  function change(
    compute: (records: readonly StoredRequest[]) => readonly StoredRequest[],
  ): Promise<void> {
    return inTurn(async () => {
      const before = await read()
      const next = givePlaces(compute(listRecords(before)), before)
      const kept = before.filter(({ record }) =>
        next.some(other => other.record.key === record.key),
      )
      if (kept.length < before.length) await leave(before, kept)
      const written = next.filter(({ record }) => before.every(other => other.record !== record))
      if (written.length === 0) return
      await session.set({
        ...Object.assign({}, ...written.map(placed => entriesOf(placed, before))),
        ...(next.length > kept.length && { [STORAGE_KEY]: placesOf(next) }),
      })
      stored = next
    })
  }

  /** Before others are written, which may need their room. */
  async function leave(before: readonly Placed[], kept: readonly Placed[]): Promise<void> {
    const left = before.filter(placed => !kept.includes(placed))
    const parts = left.flatMap(({ place, apart }) => apart.map(name => partKey(place, name)))
    await session.set({
      [STORAGE_KEY]: placesOf(kept),
      // Nothing else would free their room if the next line is never reached.
      ...Object.fromEntries(parts.map(key => [key, null])),
    })
    stored = kept
    await session.remove([...placesOf(left).map(placeKey), ...parts])
  }
}

/** Whether what it is answered with are accounts. */
export function isConnection({ method }: Pick<StoredRequest, 'method'>): boolean {
  return method === 'connect' || method === 'requestAccounts'
}

/** The key of the request that was translated into this one; the same where none was. */
export function outerKeyOf(key: string): string {
  return key.replace(/\/\d+$/, '')
}

export type Requests = ReturnType<typeof createRequests>

/** Outpoints that the stored plans of requests spend which have no outcome yet. */
export async function listPlannedOutpoints({ load }: Pick<Requests, 'load'>): Promise<string[]> {
  const open = (await load()).filter(record => record.outcome === null)
  return open.flatMap(({ journal: { plan } }) => {
    if (typeof plan !== 'object' || plan === null || !('spends' in plan)) return []
    return Array.isArray(plan.spends) ? plan.spends : []
  })
}

const placesOf = (placed: readonly Placed[]) => placed.map(({ place }) => place)

const listRecords = (placed: readonly Placed[]) => placed.map(({ record }) => record)

/** Who has a place keeps it; a new one gets the first that is free. */
function givePlaces(records: readonly StoredRequest[], before: readonly Placed[]): Placed[] {
  const placed = new Map(before.map(old => [old.record.key, old]))
  const taken = new Set(records.map(({ key }) => placed.get(key)?.place))
  let free = -1
  const nextFree = () => {
    do free++
    while (taken.has(free))
    return free
  }
  return records.map(record => {
    const old = placed.get(record.key)
    if (old?.record === record) return old
    const large = Object.entries(partsOf(record)).filter(([, part]) => isLarge(part))
    const apart = new Set([...(old?.apart ?? []), ...large.map(([name]) => name)])
    return { record, place: old?.place ?? nextFree(), apart: [...apart] }
  })
}

/** What of a record may be large, by the name that it has where it is stored apart. */
function partsOf(record: StoredRequest): { [name: string]: unknown } {
  const { params, review, input, journal } = record
  const steps = Object.entries(journal).map(([step, result]) => [`journal.${step}`, result])
  return { params, review, input, ...Object.fromEntries(steps) }
}

const isLarge = (part: unknown) => jsonSize(part) > LARGE

/** What is written of a record: of its large parts those that are not stored yet, and null for those that it has no more. */
function entriesOf({ place, record, apart }: Placed, before: readonly Placed[]) {
  const parts = partsOf(record)
  const old = before.find(placed => placed.place === place)
  const stored = old ? partsOf(old.record) : {}
  const changed = apart.filter(name => parts[name] !== stored[name])
  const small = withoutParts(
    record,
    apart.filter(name => isLarge(parts[name])),
  )
  return {
    ...Object.fromEntries(
      changed.map(name => [partKey(place, name), isLarge(parts[name]) ? parts[name] : null]),
    ),
    [placeKey(place)]: apart.length > 0 ? { ...small, apart } : small,
  }
}

function withoutParts(record: StoredRequest, names: readonly string[]): StoredRequest {
  const steps = Object.entries(record.journal).filter(
    ([step]) => !names.includes(`journal.${step}`),
  )
  return {
    ...record,
    ...(names.includes('params') && { params: [] }),
    ...(names.includes('review') && { review: null }),
    ...(names.includes('input') && { input: null }),
    journal: Object.fromEntries(steps),
  }
}

/** Session storage is written by this module alone, so its shape is trusted. */
async function readStored(session: StorageArea): Promise<Placed[]> {
  const listed = await session.get(STORAGE_KEY)
  const places: number[] = Array.isArray(listed) ? listed : []
  const placed = await Promise.all(places.map(place => readPlaced(session, place)))
  return placed.filter(found => found !== null)
}

async function readPlaced(session: StorageArea, place: number): Promise<Placed | null> {
  const stored = await session.get(placeKey(place))
  if (!stored) return null
  const { apart = [], ...small } = stored as StoredRequest & { apart?: string[] }
  // An answered one has let go of them.
  const kept = small.outcome ? [] : apart
  const values = await Promise.all(kept.map(name => session.get(partKey(place, name))))
  const record = { ...small, journal: { ...small.journal } }
  for (const [at, name] of kept.entries()) {
    const value = values[at] ?? null
    if (value === null) continue
    if (name === 'params') record.params = value as unknown[]
    else if (name === 'review') record.review = value as Review
    else if (name === 'input') record.input = value as string
    else record.journal[name.slice('journal.'.length)] = value
  }
  return { place, record, apart }
}

/** Throws -32002 when what is on its way does not fit. */
function makeRoom(records: readonly StoredRequest[]): readonly StoredRequest[] {
  const kept = dropAnswers(records, null)
  if (sumOf(kept.map(sizeOfRecord)) > MAX_STORED) throw tooManyPending()
  return kept
}

/** Forgets the oldest answers until the rest fits; the one with the key `spared` always stays. */
function dropAnswers(
  records: readonly StoredRequest[],
  spared: string | null,
): readonly StoredRequest[] {
  let size = sumOf(records.map(sizeOfRecord))
  return records.filter(record => {
    if (size <= MAX_STORED || !record.outcome || record.key === spared) return true
    size -= sizeOfRecord(record)
    return false
  })
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

const sizes = new WeakMap<StoredRequest, number>()

/** Bytes of a record's JSON; parts that are objects are measured once, and not again with each change of the others. */
function sizeOfRecord(record: StoredRequest): number {
  const size = sizes.get(record) ?? measureRecord(record)
  sizes.set(record, size)
  return size
}

function measureRecord(record: StoredRequest): number {
  const { params, review, journal } = record
  const steps = Object.entries(journal).filter(([, result]) => result !== undefined)
  return sumOf([
    jsonSize({ ...record, params: null, review: null, journal: null }) - 3 * 'null'.length,
    jsonSize(params),
    jsonSize(review),
    '{}'.length + Math.max(0, steps.length - 1),
    ...steps.map(([step, result]) => jsonSize(step) + ':'.length + jsonSize(result)),
  ])
}
