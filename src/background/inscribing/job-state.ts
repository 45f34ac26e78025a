import { COMMIT_CONFIRMATIONS } from '../../ordinals/runes/etching.ts'
import { parseRuneName } from '../../ordinals/runes/rune-name.ts'
import { minimumRuneAt } from '../../ordinals/runes/rune-unlock.ts'
import type { DeliveryState } from '../views/delivery-views.ts'
import type { JobItemState, JobView } from '../views/inscribe-views.ts'
import { type JobRecord, type JobTransaction, leafOutpoint } from './job-record.ts'

/** Pure rules of what a job is at and what comes next, from what was signed and what the chain server said of it. */

/** Whether the server has it. */
export function isSeen({ seen }: Pick<JobRecord, 'seen'>, txid: string): boolean {
  return seen[txid] !== undefined
}

export function isMined({ seen }: Pick<JobRecord, 'seen'>, txid: string): boolean {
  return typeof seen[txid] === 'number'
}

/** Oldest first, as all lists of transactions here. */
export function listCommits(job: JobRecord): JobTransaction[] {
  return job.transactions.filter(({ kind }) => kind === 'commit')
}

/** Where the money is: the commit in a block, else in the mempool, else the youngest that may still be handed over. */
export function findCommit(job: JobRecord): JobTransaction {
  const commits = listCommits(job).toReversed()
  const found =
    commits.find(({ txid }) => isMined(job, txid)) ??
    commits.find(({ txid }) => isSeen(job, txid)) ??
    commits.find(one => !one.dropped && !isGivenUp(job, one)) ??
    commits[0]
  if (!found) throw new Error(`Job ${job.id} has no commit`)
  return found
}

/**
 * Whether the person took the money back after this commit was signed, out of another one: it is not to take the place of that one,
 * and where the network has it all the same, nothing of it is revealed.
 */
export function isGivenUp(job: JobRecord, { txid, attempt }: JobTransaction): boolean {
  const refund = job.transactions.findLast(({ kind }) => kind === 'refund')
  return refund !== undefined && refund.attempt > attempt && !refund.parentTxids.includes(txid)
}

/** Reveals and refunds that spend what a commit holds for an item; in general, what spends such an output of a transaction. */
export function listSpenders(job: JobRecord, commitTxid: string, item: number): JobTransaction[] {
  const outpoint = leafOutpoint(commitTxid, item)
  return job.transactions.filter(({ spends }) => spends.includes(outpoint))
}

/** The one of an item's spenders that the network has: in a block, else in the mempool; null for none. */
export function findLanded(
  job: JobRecord,
  spenders: readonly JobTransaction[],
): JobTransaction | null {
  const youngest = spenders.toReversed()
  return (
    youngest.find(({ txid }) => isMined(job, txid)) ??
    youngest.find(({ txid }) => isSeen(job, txid)) ??
    null
  )
}

/**
 * What to hand over next, none of which waits for another: the youngest commit unless a block has one, else for each item the
 * youngest of its spenders, else a delivery. What is in `tried` was just refused: then the one before it stands, but for a
 * refund, as the person does not want the item any more.
 */
export function listNext(job: JobRecord, tried: ReadonlySet<string>): JobTransaction[] {
  const isOffered = ({ txid, dropped }: JobTransaction) => !dropped && !tried.has(txid)
  const commits = listCommits(job).toReversed()
  if (!commits.some(({ txid }) => isMined(job, txid))) {
    for (const commit of commits) {
      if (isSeen(job, commit.txid)) break
      if (isOffered(commit) && !isGivenUp(job, commit)) return [commit]
    }
  }
  const commit = findCommit(job)
  const { txid } = commit
  if (!isSeen(job, txid)) return []
  const isWanted = ({ kind }: JobTransaction) => kind === 'refund' || !isGivenUp(job, commit)
  const next: JobTransaction[] = []
  /** What spends an output of one that is about to be handed over, or of another such. */
  const waiting: JobTransaction[] = []
  for (const item of job.items.keys()) {
    const spender = nextSpender(txid, item)
    if (spender && !next.includes(spender) && !contradicts(spender, next)) next.push(spender)
  }
  if (next.length > 0 || !owesDelivery(job)) return next
  return listDeliveries(job).toReversed().filter(isOffered).slice(0, 1)

  function nextSpender(commitTxid: string, item: number): JobTransaction | null {
    const spenders = listSpenders(job, commitTxid, item)
    const landed = findLanded(job, spenders)
    if (landed && isMined(job, landed.txid)) return null
    for (const spender of spenders.filter(isWanted).toReversed()) {
      if (spender === landed) break
      // The one before it would go out while what this one spends is about to be there.
      if (isOffered(spender) && waitsFor(spender, [...next, ...waiting])) {
        waiting.push(spender)
        return null
      }
      if (isOffered(spender) && isReady(spender, landed)) return spender
      if (spender.kind === 'refund') break
    }
    return null
  }

  /** What takes the place of another may have no new input that is unconfirmed (BIP-125 rule 2). */
  function isReady(spender: JobTransaction, replaced: JobTransaction | null): boolean {
    if (spender.kind === 'reveal' && !mayEtch(job)) return false
    return spender.parentTxids.every(
      txid =>
        isMined(job, txid) ||
        (isSeen(job, txid) && (replaced === null || replaced.parentTxids.includes(txid))),
    )
  }
}

/** Whether it spends an output of one of these. */
function waitsFor({ parentTxids }: JobTransaction, others: readonly JobTransaction[]): boolean {
  return others.some(({ txid }) => parentTxids.includes(txid))
}

/** The reveal that the network has and that is to be followed by a delivery; null for none. */
function findDeliverable(job: JobRecord): JobTransaction | null {
  if (job.delivery === null) return null
  const landed = findLanded(job, listSpenders(job, findCommit(job).txid, 0))
  return landed?.kind === 'reveal' ? landed : null
}

/** What was signed to send a job's transfer inscription on from the reveal that the network has. */
export function listDeliveries(job: JobRecord): JobTransaction[] {
  const reveal = findDeliverable(job)
  return reveal ? listSpenders(job, reveal.txid, 0) : []
}

/** The delivery that the network has: in a block, else in the mempool; null for none. */
export function findDelivered(job: JobRecord): JobTransaction | null {
  return findLanded(job, listDeliveries(job))
}

/** How the delivery stands, as the chain server last told it; null for a job without one. */
export function deliveryStateOf(job: JobRecord): DeliveryState | null {
  if (job.delivery === null) return null
  const landed = findDelivered(job)
  if (landed) return isMined(job, landed.txid) ? 'confirmed' : 'pending'
  // A block may have the reveal that a refund came too late for: the person does not want the tokens to go.
  if (wantsRefund(job, 0)) return 'kept'
  const deliveries = listDeliveries(job)
  if (deliveries.length > 0 && deliveries.every(({ dropped }) => dropped)) return 'kept'
  return deliveries.some(({ txid }) => job.refused[txid] !== undefined) ? 'refused' : 'waiting'
}

/** Whether the network does not have the delivery and should get it. */
export function owesDelivery(job: JobRecord): boolean {
  const state = deliveryStateOf(job)
  return state === 'waiting' || state === 'refused'
}

/** The job once the person keeps what was to be delivered: nothing of that is handed over any more. */
export function withoutDelivery(job: JobRecord): JobRecord {
  const kept = new Set(listDeliveries(job).map(({ txid }) => txid))
  return {
    ...job,
    transactions: job.transactions.map(one =>
      kept.has(one.txid) ? { ...one, dropped: true } : one,
    ),
  }
}

/** Whether no block has all that the job is to bring about. */
export function isUnsettled(job: JobRecord): boolean {
  return listUnmined(job).length > 0 || owesDelivery(job) || deliveryStateOf(job) === 'pending'
}

/** Confirmations of the commit, by what the server last said. */
export function countConfirmations(job: JobRecord): number {
  const height = job.seen[findCommit(job).txid]
  const { tip = 0 } = job.etching ?? {}
  return typeof height === 'number' ? Math.max(tip - height + 1, 0) : 0
}

/**
 * Whether the next block may have the reveal, and nobody else has etched the name; of a job without an etching it always may.
 * ord's wallet waits for as many confirmations (`check_maturity`), and the reveal is locked as long.
 */
export function mayEtch(job: JobRecord): boolean {
  return job.etching === null || (isMature(job) && job.etching.takenBy === null)
}

/** Whether the commit is old enough for the next block to have the reveal of the etching. */
export function isMature(job: JobRecord): boolean {
  const { network, etching } = job
  if (etching === null) return true
  const rune = parseRuneName(etching.shown.name)?.rune ?? 0n
  const isUnlocked = rune >= minimumRuneAt(network, etching.tip + 1)
  return isUnlocked && countConfirmations(job) + 1 >= COMMIT_CONFIRMATIONS
}

/** The job once a server took a transaction: what it contradicts, and what needs that, left the mempool. */
export function withAccepted(job: JobRecord, accepted: JobTransaction): JobRecord {
  const { [accepted.txid]: _, ...refused } = job.refused
  const seen = { ...job.seen, [accepted.txid]: job.seen[accepted.txid] ?? null }
  for (const other of listUndone(job, accepted))
    if (seen[other.txid] === null) delete seen[other.txid]
  return { ...job, seen, refused, wasAccepted: true }
}

/**
 * The job once it is known what the network has: what a block contradicts is dropped, what was refused just now while
 * another stands for it, and the delivery of a reveal in a block that was to be taken back. What needs them is never handed over without them.
 */
export function withDropped(given: JobRecord, tried: ReadonlySet<string>): JobRecord {
  const reveal = findDeliverable(given)
  const isKept = reveal && isMined(given, reveal.txid) && deliveryStateOf(given) === 'kept'
  const job = isKept ? withoutDelivery(given) : given
  const mined = job.transactions.filter(({ txid }) => isMined(job, txid))
  const there = job.transactions.filter(({ txid }) => isSeen(job, txid))
  return {
    ...job,
    transactions: job.transactions.map(one => {
      const isDropped =
        !isSeen(job, one.txid) &&
        (contradicts(one, mined) || (tried.has(one.txid) && contradicts(one, there)))
      return isDropped ? { ...one, dropped: true } : one
    }),
  }
}

function contradicts({ txid, spends }: JobTransaction, others: readonly JobTransaction[]): boolean {
  return others.some(
    other => other.txid !== txid && other.spends.some(outpoint => spends.includes(outpoint)),
  )
}

/** Those that contradict this one, and all that need them. */
function listUndone(job: JobRecord, by: JobTransaction): JobTransaction[] {
  const against = job.transactions.filter(one => contradicts(one, [by]))
  const gone = new Set(against.map(({ txid }) => txid))
  for (let before = -1; before < gone.size; ) {
    before = gone.size
    for (const { txid, parentTxids } of job.transactions)
      if (parentTxids.some(parent => gone.has(parent))) gone.add(txid)
  }
  return job.transactions.filter(({ txid }) => gone.has(txid))
}

/** Txid of the one that the network has in the place of this one; null when it has none. */
export function findSuccessor(
  job: JobRecord,
  { txid, spends, parentTxids }: JobTransaction,
): string | null {
  const conflicting = job.transactions.find(
    other =>
      other.txid !== txid &&
      isSeen(job, other.txid) &&
      other.spends.some(outpoint => spends.includes(outpoint)),
  )
  if (conflicting) return conflicting.txid
  for (const parent of parentTxids) {
    const missing = job.transactions.find(other => other.txid === parent && !isSeen(job, parent))
    const by = missing ? findSuccessor(job, missing) : null
    if (by !== null) return by
  }
  return null
}

/** State of an item as the chain server last told it, whichever of its spenders is there. */
export function itemStateOf(job: JobRecord, item: number): JobItemState {
  const spenders = listSpenders(job, findCommit(job).txid, item)
  const landed = findLanded(job, spenders)
  if (landed?.kind === 'refund') return 'refunded'
  if (landed) return isMined(job, landed.txid) ? 'confirmed' : 'pending'
  return spenders.some(({ txid }) => job.refused[txid] !== undefined) ? 'refused' : 'waiting'
}

/** Items that no block has, in their order. */
export function listUnmined(job: JobRecord): number[] {
  const { txid } = findCommit(job)
  return [...job.items.keys()].filter(item => {
    const landed = findLanded(job, listSpenders(job, txid, item))
    return !landed || !isMined(job, landed.txid)
  })
}

/** Whether the newest transaction for an item is a refund, of this commit or of one before it: the person wants its money back. */
export function wantsRefund(job: JobRecord, item: number): boolean {
  const commit = findCommit(job)
  return isGivenUp(job, commit) || listSpenders(job, commit.txid, item).at(-1)?.kind === 'refund'
}

/** State of the whole job, worked out from its record each time: nothing of it is stored. */
export function stateOf(job: JobRecord): JobView['state'] {
  const commit = findCommit(job)
  const isStuck = STUCK.has(job.problem?.kind)
  if (!isSeen(job, commit.txid)) {
    if (job.lifecycle === 'discarded' || job.conflict?.isDeep) return 'ended'
    return isStuck ? 'stuck' : 'sending'
  }
  const landed = [...job.items.keys()].map(item =>
    findLanded(job, listSpenders(job, commit.txid, item)),
  )
  const unmined = listUnmined(job)
  const isAllThere = landed.every(one => one !== null) && !owesDelivery(job)
  if (!isUnsettled(job)) return landed.some(one => one?.kind === 'refund') ? 'refunded' : 'done'
  // Before its reveal is due, an etching goes on by itself, whatever was refused.
  const isDue = isMature(job) || (job.etching?.takenBy ?? null) !== null
  if (isStuck && !isAllThere && isDue) return 'stuck'
  if (unmined.some(item => wantsRefund(job, item))) return 'refunding'
  if (isAllThere) return 'waiting'
  return isMature(job) ? 'revealing' : 'maturing'
}

/** Problems with which a job does not go on by itself. */
const STUCK: ReadonlySet<string | undefined> = new Set(['refused', 'commit-gone', 'name-taken'])
