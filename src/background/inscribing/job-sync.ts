import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import type { ChainSource } from '../../chain/chain-source.ts'
import { fetchCountedHeight, isCounted } from '../../chain/confirmation-limit.ts'
import {
  DEEP_CONFIRMATIONS,
  FINAL_CONFIRMATIONS,
  fetchConflictingTxid,
} from '../activity/sent-status.ts'
import type { JobRecord, JobTransaction } from './job-record.ts'
import { isPrunable } from './job-schedule.ts'
import {
  findCommit,
  findDelivered,
  findLanded,
  isGivenUp,
  isMined,
  isSeen,
  isUnsettled,
  listCommits,
  listDeliveries,
  listSpenders,
  listUnmined,
  owesDelivery,
  wantsRefund,
} from './job-state.ts'

/** Asks what the network has of a job; `now` in milliseconds. Throws BackendUnavailableError. */
export async function syncWithChain(
  chain: ChainSource,
  job: JobRecord,
  now: number,
): Promise<JobRecord> {
  const tip = await fetchCountedHeight(chain)
  const seen: JobRecord['seen'] = {}
  for (const commit of listCommits(job)) await ask(commit)
  // Nothing spends from what is not there.
  for (const one of job.transactions)
    if (one.kind !== 'commit' && one.parentTxids.every(txid => seen[txid] !== undefined))
      await ask(one)
  const isThere = Object.keys(seen).length > 0
  const synced = { ...job, seen, wasAccepted: job.wasAccepted || isThere }
  const wasUndone = Object.entries(job.seen).some(
    ([txid, height]) => isCounted(chain, height) && typeof seen[txid] !== 'number',
  )
  const conflicting =
    synced.wasAccepted || hasRefusedCommit(job) ? await findConflicting(chain, synced, tip) : null
  const hasSettled = conflicting
    ? conflicting.blocks >= FINAL_CONFIRMATIONS
    : isSettled(synced, tip)
  const isOver = hasSettled && isPrunable(job, now)
  return {
    ...synced,
    etching: job.etching && { ...job.etching, tip },
    conflict: conflicting && {
      txid: conflicting.txid,
      isDeep: conflicting.blocks >= DEEP_CONFIRMATIONS,
    },
    problem: wasUndone ? { kind: 'reorganised', detail: '' } : job.problem,
    // What was given up and reached the network all the same goes on: there is money in it.
    lifecycle: isOver ? 'over' : isThere ? 'open' : job.lifecycle,
  }

  async function ask({ txid }: JobTransaction): Promise<void> {
    const height = await chain.fetchTransactionHeight(txid)
    if (height !== undefined) seen[txid] = height
  }
}

function hasRefusedCommit(job: JobRecord): boolean {
  return listCommits(job).some(({ txid }) => job.refused[txid] !== undefined)
}

/**
 * A transaction of somebody else that spends a coin of the first commit, with its confirmations; null while the network has
 * a commit of ours. Only coins of the first commit count: every later one spends them too, and where only a further coin of
 * a later one is gone, an earlier one can still be broadcast.
 */
export async function findConflicting(
  chain: ChainSource,
  job: JobRecord,
  tip: number,
): Promise<{ txid: string; blocks: number } | null> {
  const [first] = listCommits(job)
  if (!first || isSeen(job, findCommit(job).txid)) return null
  const conflicting = await fetchConflictingTxid(chain, first.txid, first.spends.map(parseOutpoint))
  if (conflicting === null || job.transactions.some(one => one.txid === conflicting)) return null
  const height = await chain.fetchTransactionHeight(conflicting)
  return { txid: conflicting, blocks: typeof height === 'number' ? tip - height + 1 : 0 }
}

/** Every item is in a block that nothing can undo. */
function isSettled(job: JobRecord, tip: number): boolean {
  const { txid } = findCommit(job)
  if (isUnsettled(job)) return false
  const delivered = findDelivered(job)
  const ends = [
    ...[...job.items.keys()].map(item => findLanded(job, listSpenders(job, txid, item))),
    ...(delivered ? [delivered] : []),
  ]
  return ends.every(one => {
    const height = job.seen[one?.txid ?? '']
    return typeof height === 'number' && tip - height + 1 >= FINAL_CONFIRMATIONS
  })
}

/** Why a job does not go on, after everything was tried; null when it does. */
export function explainStandstill(job: JobRecord): JobRecord['problem'] {
  const commit = findCommit(job)
  const unmined = listUnmined(job)
  const isBack = unmined.some(item => wantsRefund(job, item)) || hasRefunded(job)
  const takenBy = job.etching?.takenBy ?? null
  if (takenBy !== null && !isBack) return { kind: 'name-taken', detail: takenBy }
  if (!isUnsettled(job)) return null
  if (!isSeen(job, commit.txid)) {
    if (job.conflict)
      return { kind: 'commit-gone', detail: `${job.conflict.txid} spends a coin of the commit.` }
    const reason = job.refused[commit.txid]
    return reason === undefined ? keepReorganised(job) : { kind: 'refused', detail: reason }
  }
  if (unmined.length > 0 && isGivenUp(job, commit))
    return {
      kind: 'refused',
      detail: 'The network has a later commit than that which was taken back.',
    }
  for (const item of unmined) {
    const last = listSpenders(job, commit.txid, item).at(-1)
    if (!last || isSeen(job, last.txid)) continue
    const detail = job.refused[last.txid]
    if (detail !== undefined) return { kind: 'refused', detail }
    if (last.dropped && wantsRefund(job, item))
      return { kind: 'refused', detail: 'A block has an inscription that was to be taken back.' }
  }
  const delivery = owesDelivery(job)
    ? listDeliveries(job).findLast(({ dropped }) => !dropped)
    : undefined
  const undelivered = delivery && job.refused[delivery.txid]
  if (undelivered !== undefined) return { kind: 'refused', detail: undelivered }
  const latest = listCommits(job).at(-1)
  // A worker that was stopped may have handed it over after all, and not noted that.
  const isRefused = latest && !isSeen(job, latest.txid) && !isMined(job, commit.txid)
  const detail = isRefused ? job.refused[latest.txid] : undefined
  return detail === undefined ? keepReorganised(job) : { kind: 'refused', detail }
}

/** Whether a block has a refund. */
function hasRefunded(job: JobRecord): boolean {
  return job.transactions.some(({ kind, txid }) => kind === 'refund' && isMined(job, txid))
}

/** That a block was undone is worth knowing until all is in blocks again. */
function keepReorganised({ problem }: JobRecord): JobRecord['problem'] {
  return problem?.kind === 'reorganised' ? problem : null
}
