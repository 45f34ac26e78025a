import { leastBumpFeeRate } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import { leastRebuildFeeRate } from '../../ordinals/inscriptions/inscribing.ts'
import { leastRefundFeeRate } from '../../ordinals/inscriptions/refund.ts'
import { COMMIT_CONFIRMATIONS } from '../../ordinals/runes/etching.ts'
import { explorerUrlOf, type Servers } from '../settings/servers.ts'
import type { DeliveryProgress, DeliveryTerms } from '../views/delivery-views.ts'
import type { JobView } from '../views/inscribe-views.ts'
import { feeOf, type JobRecord, type JobTransaction } from './job-record.ts'
import {
  countConfirmations,
  deliveryStateOf,
  findCommit,
  findDelivered,
  findLanded,
  isMined,
  isSeen,
  itemStateOf,
  listDeliveries,
  listSpenders,
  listUnmined,
  owesDelivery,
  stateOf,
  wantsRefund,
} from './job-state.ts'

/** A job as our own pages show it, from what is stored. */
export async function viewJob(
  wallet: { servers: Pick<Servers, 'urls'> },
  job: JobRecord,
): Promise<JobView> {
  const { id, network, accountId, origin, label, at, postage } = job
  const { chain: server } = await wallet.servers.urls(network)
  const linkTo = (txid: string) => explorerUrlOf(server, network, txid)
  const commit = findCommit(job)
  const state = stateOf(job)
  return {
    ...{ id, network, accountId, origin, label, at, postage, state },
    etching: job.etching && {
      ...job.etching.shown,
      confirmations: Math.min(countConfirmations(job), COMMIT_CONFIRMATIONS),
      needed: COMMIT_CONFIRMATIONS,
      takenBy: job.etching.takenBy,
    },
    delivery: job.delivery && viewDelivery(job, job.delivery, linkTo),
    commit: {
      txid: commit.txid,
      confirmed: isMined(job, commit.txid),
      fee: commit.fee,
      feeRate: commit.feeRate,
      explorerUrl: linkTo(commit.txid),
    },
    items: job.items.map((item, index) => {
      const one = currentReveal(job, commit.txid, index)
      return {
        ...item,
        state: itemStateOf(job, index),
        inscriptionId: `${one?.txid ?? ''}i0`,
        fee: one?.fee ?? '0',
        explorerUrl: one && linkTo(one.txid),
      }
    }),
    locked: String(sumLocked(job, commit)),
    problem: job.problem,
    can: listWays(job, state),
  }
}

/** A delivery with the transaction that counts for it: the one that the network has, else the youngest. */
function viewDelivery(
  job: JobRecord,
  terms: DeliveryTerms,
  linkTo: (txid: string) => string | null,
): DeliveryProgress {
  const deliveries = job.transactions.filter(({ kind }) => kind === 'delivery')
  const one = findDelivered(job) ?? listDeliveries(job).at(-1) ?? deliveries.at(-1) ?? null
  return {
    ...terms,
    state: deliveryStateOf(job) ?? 'waiting',
    txid: one?.txid ?? null,
    fee: one?.fee ?? '0',
    explorerUrl: one && linkTo(one.txid),
  }
}

/** The transaction that counts for an item: the reveal that the network has, else its refund, else the youngest reveal. */
function currentReveal(job: JobRecord, commitTxid: string, item: number): JobTransaction | null {
  const spenders = listSpenders(job, commitTxid, item)
  const reveals = spenders.filter(({ kind }) => kind === 'reveal')
  return (
    findLanded(job, reveals) ??
    findLanded(job, spenders) ??
    reveals.findLast(({ dropped }) => !dropped) ??
    reveals.at(-1) ??
    null
  )
}

function sumLocked(job: JobRecord, { txid, leafAmounts }: JobTransaction): bigint {
  if (!isSeen(job, txid)) return 0n
  return leafAmounts.reduce((total, sats, item) => {
    const isSpent = findLanded(job, listSpenders(job, txid, item)) !== null
    return isSpent ? total : total + BigInt(sats)
  }, 0n)
}

/** What the person can do about it: every state that holds money has a way on. */
function listWays(job: JobRecord, state: JobView['state']): JobView['can'] {
  const commit = findCommit(job)
  const unmined = listUnmined(job)
  const isOpen = job.lifecycle === 'open' && unmined.length > 0 && !job.conflict
  const isThere = isSeen(job, commit.txid)
  // The reveal is in a block, so nothing but its delivery is left.
  const isDue = job.lifecycle === 'open' && unmined.length === 0 && owesDelivery(job)
  const landed = unmined.map(item => findLanded(job, listSpenders(job, commit.txid, item)))
  const sent = landed.map(one => one && feeOf(one))
  const replaced = [...new Set([...landed, findDelivered(job)])].flatMap(one =>
    one ? [feeOf(one)] : [],
  )
  const isTaken = (job.etching?.takenBy ?? null) !== null
  const mayBump = isOpen && !isTaken && !unmined.some(item => wantsRefund(job, item))
  const leastBump = isMined(job, commit.txid)
    ? leastBumpFeeRate({ commit }, sent)
    : leastRebuildFeeRate({ commit })
  return {
    resume: (isOpen || isDue) && !isTaken && state !== 'waiting' && state !== 'maturing',
    bump: mayBump ? { leastFeeRate: leastBump } : null,
    refund: isOpen && isThere ? { leastFeeRate: leastRefundFeeRate(replaced) } : null,
    discard: job.lifecycle === 'open' && (isThere ? isDue : unmined.length > 0),
  }
}
