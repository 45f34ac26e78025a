import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { SentRecord } from '../activity/activity.ts'
import { createMutex, type Mutex } from '../primitives/mutex.ts'
import type { MintStop, RuneMintView } from '../views/mint-views.ts'
import type { MintedRune, MintPlan } from './mint-plan.ts'
import { MINTS_KEY } from './mints-key.ts'

/** Minting under way: which transactions, in the order of their broadcast, and what is known of them. */
export type MintJob = {
  id: string
  network: Network
  accountId: string
  /** Own address that the runes go to. */
  address: string
  label: string
  at: number
  rune: MintedRune
  feeRate: number
  /** Sats of each fee, as `txids`. */
  fees: string[]
  txids: string[]
  /** Their entries of the activity with the signed bytes, until these are on record there; empty from then on. */
  unrecorded: SentRecord[]
  /** Those that the chain server has, by txid: height, or null in the mempool. */
  seen: { [txid: string]: number | null }
  /** What those in blocks gave, by the index's word. */
  gave: { [txid: string]: 'minted' | 'empty' }
  stopped: MintStop | null
  problem: RuneMintView['problem']
  checkedAt: number
  /** Since when nothing was left to do; null while something is. */
  finishedAt: number | null
}

/** What was worked out and is not signed yet. */
export type StoredMintPlan = {
  id: string
  digest: string
  network: Network
  accountId: string
  label: string
  plan: MintPlan
}

const PLANS_KEY = 'mintPlans'

/** Jobs that are over; the oldest fall out. */
const MAX_FINISHED = 100
const MAX_PLANS = 2

/** Milliseconds: how often a job is looked at, and for how long one that is finished. */
const INTERVAL_MS = 15_000
const INTERVAL_AT_NEWS_MS = 1_000
const INTERVAL_WHILE_WATCHED_MS = 15 * 60_000
const WATCHED_MS = 6 * 60 * 60_000

/** Mints under way in local storage, newest first, and their plans in session storage. */
export function createMints({
  local,
  session,
  onChange,
  guard = write => write(),
}: {
  local: StorageArea
  session: StorageArea
  onChange(): void
  /** Runs what stores a signing. */
  guard?: <T>(write: () => Promise<T>) => Promise<T>
}) {
  const writing = createMutex()
  const planning = createMutex()
  const queues = new Map<string, Mutex>()

  return {
    list: load,
    async find(id: string): Promise<MintJob | undefined> {
      return (await load()).find(job => job.id === id)
    },
    /** One with this id stays as it is. */
    add(job: MintJob): Promise<void> {
      return writing(async () => {
        const jobs = await load()
        if (jobs.some(({ id }) => id === job.id)) return
        await guard(() => write([job, ...jobs]))
      })
    },
    update(id: string, change: (job: MintJob) => MintJob): Promise<void> {
      return writing(async () => {
        const jobs = await load()
        if (!jobs.some(job => job.id === id)) return
        await write(jobs.map(job => (job.id === id ? change(job) : job)))
      })
    },
    /** Runs a task while no job is written. */
    hold: writing,
    /** What storage holds with these jobs too; one with the same id stays as it is. */
    async entriesWith(added: readonly MintJob[]): Promise<{ [key: string]: unknown }> {
      const jobs = await load()
      const fresh = added.filter(({ id }) => !jobs.some(job => job.id === id))
      return { [MINTS_KEY]: [...jobs, ...fresh].sort((a, b) => b.at - a.at) }
    },
    /** What storage holds once the jobs of one account are another's; they stay at the address that they began with. */
    async entriesJoined(from: string, to: string): Promise<{ [key: string]: unknown }> {
      const jobs = (await load()).map(job => {
        if (job.accountId !== from) return job
        const unrecorded = job.unrecorded.map(record => ({ ...record, accountId: to }))
        return { ...job, accountId: to, unrecorded }
      })
      return { [MINTS_KEY]: jobs }
    },
    /** Runs what concerns one job after what was begun for it before. */
    inTurn<T>(id: string, task: () => Promise<T>): Promise<T> {
      const queue = queues.get(id) ?? createMutex()
      queues.set(id, queue)
      return queue(task)
    },
    /** Drops the jobs of an account that are finished. */
    forgetAccount(accountId: string): Promise<void> {
      return writing(async () => {
        const jobs = await load()
        const kept = jobs.filter(job => job.accountId !== accountId || job.finishedAt === null)
        if (kept.length < jobs.length) await write(kept)
      })
    },
    async findPlan(id: string): Promise<StoredMintPlan | undefined> {
      return (await loadPlans()).find(plan => plan.id === id)
    },
    addPlan(plan: StoredMintPlan): Promise<void> {
      return planning(async () => {
        await session.set({ [PLANS_KEY]: [plan, ...(await loadPlans())].slice(0, MAX_PLANS) })
      })
    },
  }

  /** Only this module writes these keys. */
  async function load(): Promise<readonly MintJob[]> {
    const stored = await local.get(MINTS_KEY)
    return Array.isArray(stored) ? stored : []
  }

  async function loadPlans(): Promise<readonly StoredMintPlan[]> {
    const stored = await session.get(PLANS_KEY)
    return Array.isArray(stored) ? stored : []
  }

  async function write(jobs: readonly MintJob[]): Promise<void> {
    let finished = 0
    const kept = jobs.filter(job => job.finishedAt === null || ++finished <= MAX_FINISHED)
    await local.set({ [MINTS_KEY]: kept })
    onChange()
  }
}

export type Mints = ReturnType<typeof createMints>

/** Outpoints that mints spend which are signed and not in the activity yet. */
export async function listUnrecordedMints({ list }: Pick<Mints, 'list'>): Promise<string[]> {
  return (await list()).flatMap(({ unrecorded }) => unrecorded.flatMap(({ spends }) => spends))
}

/** Whether to look at a job now; `news` of the chain make one that is not finished due sooner. */
export function isMintDue(job: MintJob, now: number, { news = false } = {}): boolean {
  const [atNews, alone] =
    job.finishedAt === null
      ? [INTERVAL_AT_NEWS_MS, INTERVAL_MS]
      : [INTERVAL_MS, INTERVAL_WHILE_WATCHED_MS]
  const interval = news ? atNews : alone
  return isMintWatched(job, now) && now - job.checkedAt >= interval
}

/** Whether the browser's alarm is needed for it: a finished one is watched for six hours, as blocks may be undone. */
export function isMintWatched({ finishedAt }: MintJob, now: number): boolean {
  return finishedAt === null || now - finishedAt < WATCHED_MS
}
