import type { Network } from '../../bitcoin/network.ts'
import type { GivenName } from '../views/account-views.ts'
import type { ActivityEntry, ActivityStatus } from '../views/activity-views.ts'
import type { Ledger } from './history.ts'
import type { HistoryRow } from './history-rows.ts'
import type { SentRecord } from './sent-records.ts'

/** What is stored about an account, and names of addresses. */
export type ActivitySource = {
  network: Network
  accountId: string
  records: readonly SentRecord[]
  ledger: Ledger
  /** By txid. */
  labels: { [txid: string]: string }
  /** By address. */
  names: ReadonlyMap<string, GivenName>
}

/** A transaction as this wallet knows it, or as the chain tells it, or both. */
export type KnownTransaction =
  | { record: SentRecord; row: HistoryRow | undefined }
  | { record: undefined; row: HistoryRow }

/** With what the order depends on. */
type Placed = { known: KnownTransaction; height: number; at: number }

/**
 * What this wallet sent and what the chain says, as one list: first what waits for a block, then the rest, newest first.
 * While older rows are still to be fetched the list ends with the last row that is known, so that a longer history only
 * ever adds to its end; `whole` shows all that is stored instead.
 */
export function listKnown(
  { records, ledger }: Pick<ActivitySource, 'records' | 'ledger'>,
  whole: boolean,
): KnownTransaction[] {
  const sent = new Map(records.map(record => [record.txid, record]))
  const listed = new Set(ledger.rows.map(({ txid }) => txid))
  const isAll = whole || ledger.next === null
  const oldestHeight = isAll ? -1 : (ledger.rows.at(-1)?.height ?? Number.POSITIVE_INFINITY)
  const waiting: Placed[] = []
  const inBlocks: Placed[] = []
  const ended: Placed[] = []
  for (const row of ledger.rows) place({ record: sent.get(row.txid), row } as KnownTransaction)
  for (const record of records) if (!listed.has(record.txid)) place({ record, row: undefined })
  // Sorting is stable: rows of one block stay in the order of the server, which is that of its next pages.
  inBlocks.sort((a, b) => b.height - a.height)
  const past = interleave(inBlocks, ended.sort(byTime), isAll)
  return [...waiting.sort(byTime), ...past].map(({ known }) => known)

  function place(known: KnownTransaction): void {
    const status = statusOf(known)
    const height = status === 'confirmed' ? (heightOf(known) ?? 0) : 0
    const placed = { known, height, at: timeOf(known, status) }
    if (status === 'replaced' || status === 'failed') ended.push(placed)
    else if (status !== 'confirmed') waiting.push(placed)
    else if (known.row || height > oldestHeight) inBlocks.push(placed)
  }
}

/** How it is shown. */
export function toEntry(
  { network, accountId, labels, names }: Omit<ActivitySource, 'records' | 'ledger'>,
  known: KnownTransaction,
): ActivityEntry {
  const { record, row } = known
  const { txid, kind } = record ?? row
  const status = statusOf(known)
  const counterparty = record?.counterparty ?? row?.peers[0] ?? null
  return {
    txid,
    network,
    accountId,
    kind,
    status,
    net: record?.net ?? textOf(row?.net),
    counterparty,
    counterpartyName: counterparty === null ? null : (names.get(counterparty) ?? null),
    fee: record?.fee ?? textOf(row?.fee),
    origin: record?.origin ?? null,
    label: labels[txid] ?? '',
    at: timeOf(known, status),
    height: status === 'confirmed' ? heightOf(known) : null,
    replacedBy: status === 'replaced' ? (record?.replacedBy ?? row?.replacedBy ?? null) : null,
    about: record?.about ?? null,
  }
}

export function txidOf({ record, row }: KnownTransaction): string {
  return (record ?? row).txid
}

function heightOf({ record, row }: KnownTransaction): number | null {
  return row?.height ?? record?.height ?? null
}

/** The time of its block, or when this wallet sent it or first saw it. */
function timeOf(known: KnownTransaction, status: ActivityStatus): number {
  const { at } = known.record ?? known.row
  return status === 'confirmed' ? (known.row?.at ?? at) : at
}

function statusOf({ record, row }: KnownTransaction): ActivityStatus {
  if (row && row.height !== null) return 'confirmed'
  if (record) return record.status === 'confirmed' && row ? 'reorganised' : record.status
  if (row.replacedBy !== null) return 'replaced'
  return row.undone ? 'reorganised' : 'pending'
}

function textOf(sats: number | null | undefined): string | null {
  return sats === null || sats === undefined ? null : String(sats)
}

function byTime(a: Placed, b: Placed): number {
  return b.at - a.at || (txidOf(a.known) < txidOf(b.known) ? -1 : 1)
}

/**
 * Merges by time what never came into a block with what did. Entries in blocks keep their order, because the times that
 * miners give their blocks need not rise.
 */
function interleave(
  inBlocks: readonly Placed[],
  ended: readonly Placed[],
  isAll: boolean,
): Placed[] {
  const result: Placed[] = []
  let taken = 0
  for (const entry of inBlocks) {
    for (let next = ended[taken]; next && next.at >= entry.at; next = ended[++taken])
      result.push(next)
    result.push(entry)
  }
  return isAll ? [...result, ...ended.slice(taken)] : result
}
