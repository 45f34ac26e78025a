import { fromHex } from '../../bitcoin/bytes.ts'
import { NETWORKS } from '../../bitcoin/network.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
} from '../../chain/chain-source.ts'
import { fetchCountedHeight } from '../../chain/confirmation-limit.ts'
import { failure } from '../../provider/errors.ts'
import type { Clock } from '../primitives/clock.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'
import { broadcastWithRetries } from '../sending/outgoing.ts'
import type { Sources } from '../settings/servers.ts'
import { fetchTakenBy } from './etching-name.ts'
import { type JobRecordParts, recordJob, syncActivity } from './job-activity.ts'
import type { JobRecord, JobTransaction } from './job-record.ts'
import { finishedAt, isDue } from './job-schedule.ts'
import {
  findCommit,
  isMature,
  isSeen,
  listNext,
  listUnmined,
  owesDelivery,
  wantsRefund,
  withAccepted,
  withDropped,
  withoutDelivery,
} from './job-state.ts'
import { explainStandstill, findConflicting, syncWithChain } from './job-sync.ts'

/** Transactions that are handed over at a time. */
const CONCURRENCY = 4

/** The parts of the wallet that carry jobs on; none of them needs an open wallet. */
export type JobParts = Pick<Sources, 'chain' | 'assets'> & Clock & JobRecordParts

/**
 * Hands over what the network does not have of a job: the commit, then what spends it, in order. May be called again at any
 * time, in another worker too, and needs no open wallet. What the servers make of it is part of the job.
 */
export async function resumeJob(wallet: JobParts, id: string): Promise<void> {
  await advance(wallet, id, 'asked')
}

/**
 * The same for a site. Throws BROADCAST_REJECTED with the node's words, or BACKEND_UNAVAILABLE when it is not known what
 * arrived, both with `commitTx` and `revealTxs`: the job goes on by itself, or waits for the person.
 */
export async function runJob(wallet: JobParts, id: string): Promise<void> {
  const job = await advance(wallet, id, 'asked')
  if (!job) return
  const { problem, commitTxid, revealTxids } = job
  const data = { commitTx: commitTxid, revealTxs: revealTxids }
  if (problem?.kind === 'unanswered') {
    throw failure(
      'BACKEND_UNAVAILABLE',
      'The wallet’s server did not answer. What is inscribed may have been sent, and will be tried again: look for the transactions before you inscribe again.',
      { data },
    )
  }
  if (problem?.kind === 'refused' || problem?.kind === 'commit-gone') {
    throw failure('BROADCAST_REJECTED', `The network refused the transaction: ${problem.detail}`, {
      data: { ...data, node: problem.detail },
    })
  }
}

/**
 * The same without anybody waiting for it. A commit that was refused at once, and that no server ever accepted, is not
 * sent again by itself: who asked was told that it failed, so the person decides.
 */
export async function refreshJob(wallet: JobParts, id: string): Promise<void> {
  await advance(wallet, id, 'alone')
}

/** Throws BACKEND_UNAVAILABLE where the last sync of a job got no answer. */
export function assertAnswered({ problem }: JobRecord): void {
  if (problem?.kind !== 'unanswered') return
  throw failure('BACKEND_UNAVAILABLE', `The wallet’s server did not answer: ${problem.detail}`)
}

/** Asks what the network has of a job, and hands over nothing. */
export async function pollJob(wallet: JobParts, id: string): Promise<void> {
  await advance(wallet, id, 'poll')
}

/** Goes on with every job that is due, of all accounts and networks. What goes wrong with one stops no other. */
export async function refreshJobs(wallet: JobParts, mode: 'due' | 'news' = 'due'): Promise<void> {
  const jobs = await wallet.jobs.list()
  const ends = await Promise.allSettled(
    NETWORKS.map(network => refreshInTurn(jobs.filter(job => job.network === network))),
  )
  const errors = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
  if (errors.length > 0) throw errors[0]

  async function refreshInTurn(newestFirst: readonly JobRecord[]): Promise<void> {
    const errors: unknown[] = []
    // A later one may spend the change of an earlier one.
    for (const { id } of newestFirst.toReversed())
      await advance(wallet, id, mode).catch(error => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }
}

/** `asked` by the person; by itself, at once (`alone`), when it is `due` or at `news` of the chain; `poll` hands nothing over. */
type Mode = 'asked' | 'alone' | 'due' | 'news' | 'poll'

/** Resolves the job as it is then; undefined when there is none that goes on. */
function advance(wallet: JobParts, id: string, mode: Mode): Promise<JobRecord | undefined> {
  return wallet.jobs.inTurn(id, async () => {
    const found = await wallet.jobs.find(id)
    if (!found || found.lifecycle === 'over') return undefined
    const waits = mode === 'due' || mode === 'news'
    if (waits && !isDue(found, wallet.now(), { news: mode === 'news' })) return found
    await recordJob(wallet, found)
    const learnt = await learn(wallet, found, mode)
    const now = wallet.now()
    const job = { ...learnt, checkedAt: now, finishedAt: finishedAt(learnt, now) }
    await syncActivity(wallet, job)
    await store(wallet, job)
    return job
  })
}

/** Asks the chain, then hands over what is missing; each step is stored. */
async function learn(wallet: JobParts, found: JobRecord, mode: Mode): Promise<JobRecord> {
  try {
    const chain = await wallet.chain(found.network)
    const job =
      isFresh(found) && mode !== 'poll' ? found : await syncWithChain(chain, found, wallet.now())
    await store(wallet, job)
    const { asked, missing } =
      mode === 'poll' ? { asked: job, missing: null } : await askForName(wallet, job)
    if (missing !== null) return { ...asked, problem: { kind: 'unanswered', detail: missing } }
    const handed = mayHandOver(asked, mode) ? await handOver(wallet, chain, asked) : asked
    return { ...handed, problem: explainStandstill(handed) }
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    const job = (await wallet.jobs.find(found.id)) ?? found
    return { ...job, problem: { kind: 'unanswered', detail: error.message } }
  }
}

/**
 * Asks the index whether somebody else has etched the name: before the reveal is handed over, when an answer of all blocks is
 * waited for (`missing` says what of it is), and from then on, since a block may have another etching first. Throws
 * BackendUnavailableError.
 */
async function askForName(
  wallet: JobParts,
  job: JobRecord,
): Promise<{ asked: JobRecord; missing: string | null }> {
  const { network, etching } = job
  if (etching === null || !isMature(job) || wantsRefund(job, 0))
    return { asked: job, missing: null }
  const withTakenBy = (takenBy: string | null) => ({ ...job, etching: { ...etching, takenBy } })
  if (listNext(withTakenBy(null), new Set()).length === 0) {
    const asking = fetchTakenBy(wallet, job).catch(error => {
      if (error instanceof BackendUnavailableError) return etching.takenBy
      throw error
    })
    return { asked: withTakenBy(await asking), missing: null }
  }
  const { height } = await (await wallet.assets(network)).fetchTip()
  const takenBy = await fetchTakenBy(wallet, job)
  // What it says of others’ etchings is true of the blocks that it has read.
  const isBehind = takenBy === null && height < etching.tip
  const missing = isBehind ? `The index is at block ${height} of ${etching.tip}.` : null
  return { asked: withTakenBy(takenBy), missing }
}

/** Never synced, so to be handed over at once. Where a worker died in the middle of that, a server which has it already says so. */
function isFresh({ checkedAt, lifecycle }: JobRecord): boolean {
  return checkedAt === 0 && lifecycle === 'open'
}

function mayHandOver(job: JobRecord, mode: Mode): boolean {
  if (mode === 'poll' || job.lifecycle !== 'open' || job.conflict) return false
  return mode === 'asked' || job.wasAccepted || job.refused[findCommit(job).txid] === undefined
}

/** Throws BackendUnavailableError, once what is known of the others is stored. */
async function handOver(
  wallet: JobParts,
  chain: ChainSource,
  given: JobRecord,
): Promise<JobRecord> {
  let job = given
  const tried = new Set<string>()
  const errors: unknown[] = []
  for (let next = listNext(job, tried); next.length > 0; next = listNext(job, tried)) {
    const [first, ...others] = next
    if (first) await give(first)
    await forEachConcurrently(others, CONCURRENCY, give)
    // Once for all of them: what a server has when the worker dies here, it says when it gets it again.
    await store(wallet, job)
    if (errors.length > 0) throw errors[0]
  }
  job = withDropped(job, tried)
  if (!tried.has(findCommit(job).txid)) return job
  const conflicting = await findConflicting(chain, job, await fetchCountedHeight(chain))
  return { ...job, conflict: conflicting && { txid: conflicting.txid, isDeep: false } }

  async function give(one: JobTransaction): Promise<void> {
    if (errors.length > 0) return
    try {
      // Retries are for the first refusal only: if they did not help there, they would not help the others.
      const reason = await broadcast(chain, one, await loadRaw(wallet, job, one), tried.size === 0)
      if (reason === null) job = withAccepted(job, one)
      else {
        tried.add(one.txid)
        job = { ...job, refused: { ...job.refused, [one.txid]: reason } }
      }
    } catch (error) {
      errors.push(error)
    }
  }
}

async function loadRaw(
  wallet: JobParts,
  job: JobRecord,
  { txid, attempt }: JobTransaction,
): Promise<Uint8Array> {
  const raw = (await wallet.jobs.loadBytes(job, attempt))?.raw[txid]
  if (raw === undefined) throw new Error(`Job ${job.id} lost the bytes of ${txid}`)
  return fromHex(raw)
}

/** Null once a server took it, else why the node refused it. A node may be told of what it spends a moment later. */
async function broadcast(
  chain: ChainSource,
  { parentTxids }: JobTransaction,
  rawTx: Uint8Array,
  isFirst: boolean,
): Promise<string | null> {
  const isTemporary = (error: unknown) =>
    error instanceof BroadcastRejectedError
      ? parentTxids.length > 0 && /missing/i.test(error.reason)
      : error instanceof BackendUnavailableError
  try {
    await broadcastWithRetries(chain, rawTx, { isTemporary, ...(!isFirst && { delaysMs: [] }) })
    return null
  } catch (error) {
    if (error instanceof BroadcastRejectedError) return error.reason
    throw error
  }
}

/** What was learnt; what was signed meanwhile stays. */
function store(wallet: JobParts, learnt: JobRecord): Promise<void> {
  const dropped = new Set(learnt.transactions.flatMap(({ txid, dropped }) => (dropped ? txid : [])))
  const { seen, refused, wasAccepted, conflict, etching } = learnt
  const { problem, checkedAt, finishedAt, lifecycle } = learnt
  return wallet.jobs.update(learnt.id, job => ({
    ...job,
    ...{ seen, refused, wasAccepted, conflict, etching },
    ...{ problem, checkedAt, finishedAt, lifecycle },
    transactions: job.transactions.map(one =>
      dropped.has(one.txid) ? { ...one, dropped: true } : one,
    ),
  }))
}

/**
 * Gives a job up whose commit the network does not have, and frees its coins; where a block has the reveal and the network
 * not the delivery, the transfer inscription stays with the account. What was signed stays stored, and the next
 * payment spends a coin of the commit: a server that lied could publish one of the two, and what it published would go on.
 * Throws BUMP_IMPOSSIBLE where the network has the commit, BACKEND_UNAVAILABLE where nobody can tell.
 */
export async function discardJob(wallet: JobParts, id: string): Promise<void> {
  // So that nothing is handed over between the poll and the end.
  await wallet.jobs.inTurn(id, () =>
    wallet.jobs.update(id, job =>
      job.lifecycle === 'open' ? { ...job, lifecycle: 'discarded' } : job,
    ),
  )
  await pollJob(wallet, id)
  await wallet.jobs.inTurn(id, async () => {
    const job = await wallet.jobs.find(id)
    if (!job || job.lifecycle === 'over') return
    const isThere = isSeen(job, findCommit(job).txid)
    const isKnown = job.problem?.kind !== 'unanswered'
    if (isThere && isKnown && listUnmined(job).length === 0 && owesDelivery(job)) {
      const kept = withoutDelivery({ ...job, lifecycle: 'open' })
      const { transactions, lifecycle } = kept
      await wallet.jobs.update(id, stored => ({
        ...stored,
        ...{ transactions, lifecycle, problem: null },
        finishedAt: finishedAt(kept, wallet.now()),
      }))
      return syncActivity(wallet, kept)
    }
    if (isThere || !isKnown) {
      await wallet.jobs.update(id, stored => ({ ...stored, lifecycle: 'open' }))
      await syncActivity(wallet, { ...job, lifecycle: 'open' })
    }
    if (isThere) {
      const text = 'The network has the commit: take its money back instead.'
      throw failure('BUMP_IMPOSSIBLE', text, { data: { why: 'ENDED' } })
    }
    assertAnswered(job)
  })
}
