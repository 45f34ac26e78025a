import type { SentRecord } from '../activity/activity.ts'
import { listPaid } from '../activity/sent-records.ts'
import { isLive } from '../activity/sent-status.ts'

/**
 * A payment of our own that the server says was refused, or gave way to another one: it is over only if that is true. What
 * sites pushed chooses no coins for us.
 */
export function isEndedPayment(record: SentRecord): boolean {
  return !isLive(record) && (record.payment !== null || record.kind === 'commit')
}

/**
 * A payment that ended, and the outpoints of which a later payment spends one so that a server that lied publishes one of the two at
 * most; none where nothing can stand against it.
 */
export type EndedPayment = { record: SentRecord; opposedBy: readonly string[] }

/**
 * The payments that ended and that a server which lied could still publish beside a later one. Where another payment has a coin of
 * one that paid others, only what hangs on that other opposes it, as long as no block has that: the server could keep it to itself.
 * What pays the same in the place of one, at a higher fee, is no other; what takes one back is, as a miner may have the older one.
 */
export function listEndedPayments(records: readonly SentRecord[]): EndedPayment[] {
  const live = records.filter(isLive)
  const byTxid = new Map(records.map(record => [record.txid, record]))
  const spenders = new Map(
    live.flatMap(record => record.spends.map(outpoint => [outpoint, record] as const)),
  )
  return records.filter(isEndedPayment).flatMap((record): EndedPayment[] => {
    const others = new Set(record.spends.flatMap(outpoint => spenders.get(outpoint) ?? []))
    if (others.size === 0) return [{ record, opposedBy: record.spends }]
    const isOver = (other: SentRecord) =>
      other.status === 'confirmed' ||
      (listPaid(other).length > 0 && takesPlaceOf(other, record, byTxid))
    if ([...others].some(isOver) || listPaid(record).length === 0) return []
    return [{ record, opposedBy: listCreated([...others], spenders) }]
  })
}

function takesPlaceOf(
  other: SentRecord,
  { txid }: SentRecord,
  byTxid: ReadonlyMap<string, SentRecord>,
): boolean {
  const passed = new Set<string>()
  for (let at = other.replaces; at !== null && !passed.has(at); ) {
    if (at === txid) return true
    passed.add(at)
    at = byTxid.get(at)?.replaces ?? null
  }
  return false
}

/** Own coins that these transactions create, and those that spend them. */
function listCreated(
  transactions: readonly SentRecord[],
  spenders: ReadonlyMap<string, SentRecord>,
): string[] {
  const family = new Set(transactions)
  const created: string[] = []
  // A loop over a Set also visits what is added while it runs.
  for (const { creates } of family)
    for (const outpoint of creates) {
      created.push(outpoint)
      const child = spenders.get(outpoint)
      if (child) family.add(child)
    }
  return created
}
