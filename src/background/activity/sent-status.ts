import { fromHex } from '../../bitcoin/bytes.ts'
import type { Outpoint } from '../../bitcoin/outpoint.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import {
  BroadcastRejectedError,
  type ChainSource,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'
import { isCounted } from '../../chain/confirmation-limit.ts'
import type { ActivityStatus } from '../views/activity-views.ts'
import type { SentRecord } from './sent-records.ts'

/** With this many confirmations a transaction is taken to stay. */
export const DEEP_CONFIRMATIONS = 6

/** With this many, as a coinbase needs to mature, nothing can undo it. */
export const FINAL_CONFIRMATIONS = 100

/** What the chain says about a transaction. */
export type Finding =
  | { is: 'in-block'; height: number }
  | { is: 'waiting' }
  | { is: 'replaced'; by: string }
  | { is: 'refused' }

/** Whether the transaction may still be, or already is, in a block. */
export function isLive({ status }: Pick<SentRecord, 'status'>): boolean {
  return status !== 'failed' && status !== 'replaced'
}

/** The records after a change, of which those that have ended with it say when; `now` in milliseconds. */
export function withEnds(
  records: readonly SentRecord[],
  before: readonly SentRecord[],
  now: number,
): readonly SentRecord[] {
  if (records === before) return records
  const live = new Set(before.filter(isLive).map(({ txid }) => txid))
  return records.map(record =>
    !isLive(record) && live.has(record.txid) ? { ...record, endedAt: now } : record,
  )
}

export type StatusPatch = Partial<Pick<SentRecord, 'height' | 'replacedBy'>>

/**
 * Asks about one transaction. One that the server does not know, and nothing took the place of, is handed over again unless
 * it is kept back, or comes after one that was `refused`.
 */
export async function fetchFinding(
  chain: ChainSource,
  record: SentRecord,
  refused: ReadonlySet<string> = new Set(),
): Promise<Finding | null> {
  const height = await chain.fetchTransactionHeight(record.txid)
  if (typeof height === 'number') return { is: 'in-block', height }
  if (height === null) return { is: 'waiting' }
  if (record.rawTx === '') return null
  const rawTx = fromHex(record.rawTx)
  const conflicting = await fetchConflictingTxid(chain, record.txid, parseTransaction(rawTx).inputs)
  // A replacement that has not arrived yet conflicts with what it replaces. That is no reason to give it up.
  const outbids = record.status === 'sending' && record.replaces !== null
  if (conflicting !== null && !outbids) return { is: 'replaced', by: conflicting }
  if (record.status === 'unsent') return null
  if (record.after?.some(txid => refused.has(txid))) return { is: 'refused' }
  try {
    await chain.broadcast(rawTx)
    return { is: 'waiting' }
  } catch (error) {
    if (!(error instanceof BroadcastRejectedError)) throw error
    return conflicting === null ? { is: 'refused' } : { is: 'replaced', by: conflicting }
  }
}

/** The records after a finding about one of them, by what counts on a chain. */
export function applyFinding(
  records: readonly SentRecord[],
  record: SentRecord,
  finding: Finding,
  chain: Pick<ChainSource, 'limit'>,
): readonly SentRecord[] {
  const { txid } = record
  if (finding.is === 'in-block')
    return withStatus(records, txid, 'confirmed', { height: finding.height })
  if (finding.is === 'replaced')
    return withStatus(records, txid, 'replaced', { replacedBy: finding.by })
  if (finding.is === 'refused') return withStatus(records, txid, 'failed')
  const { status, height = null } = records.find(other => other.txid === txid) ?? {}
  // A block that does not count is not undone.
  const wasInBlock =
    status === 'reorganised' || (status === 'confirmed' && isCounted(chain, height))
  return withStatus(records, txid, wasInBlock ? 'reorganised' : 'pending')
}

/**
 * Sets the status of a transaction, and what follows for the others: those that spend a coin of a transaction which the
 * network took are replaced by it, and those that a refused one had replaced wait again. The same array when nothing changes.
 */
export function withStatus(
  records: readonly SentRecord[],
  txid: string,
  status: ActivityStatus,
  patch: StatusPatch = {},
): readonly SentRecord[] {
  const spends = new Set(
    records.filter(record => record.txid === txid).flatMap(record => record.spends),
  )
  const isAccepted = status === 'pending' || status === 'reorganised' || status === 'confirmed'
  const yields = (other: SentRecord) =>
    other.status === 'pending' ||
    other.status === 'reorganised' ||
    (status === 'confirmed' &&
      (other.status === 'sending' || other.status === 'unsent' || other.status === 'confirmed'))
  let changed = false
  const next = records.map(record => {
    const after = changeOf(record)
    if (!after || isSame(record, after)) return record
    changed = true
    return { ...record, ...after }
  })
  return changed ? next : records

  function changeOf(record: SentRecord): Outcome | null {
    if (record.txid === txid) return { status, height: null, replacedBy: null, ...patch }
    if (isAccepted && yields(record) && record.spends.some(outpoint => spends.has(outpoint)))
      return { status: 'replaced', height: null, replacedBy: txid }
    if (status === 'failed' && record.replacedBy === txid)
      return { status: 'pending', height: null, replacedBy: null }
    return null
  }
}

type Outcome = Pick<SentRecord, 'status' | 'height' | 'replacedBy'>

function isSame(a: Outcome, b: Outcome): boolean {
  return a.status === b.status && a.height === b.height && a.replacedBy === b.replacedBy
}

/** Inputs that are asked about: one request each. */
const MAX_INPUTS = 20

/** Txid of another transaction than `txid` that spends one of its inputs, in a block or the mempool; null for none. */
export async function fetchConflictingTxid(
  chain: ChainSource,
  txid: string,
  inputs: readonly Outpoint[],
): Promise<string | null> {
  for (const input of inputs.slice(0, MAX_INPUTS)) {
    const spender = await fetchSpender(chain, input)
    if (spender !== null && spender !== txid) return spender
  }
  return null
}

/** Null also where the server does not know the transaction whose output it is. */
async function fetchSpender(chain: ChainSource, outpoint: Outpoint): Promise<string | null> {
  try {
    return await chain.fetchSpender(outpoint)
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  }
}
