import { formatBtc } from '../../bitcoin/amount.ts'
import { disarm, formatCsv, nameCell } from '../primitives/csv.ts'
import type { ActivityEntry } from '../views/activity-views.ts'

const COLUMNS = [
  'date',
  'status',
  'kind',
  'net_btc',
  'fee_btc',
  'counterparty',
  'counterparty_name',
  'label',
  'origin',
  'txid',
  'height',
  'replaced_by',
  'about',
  'inscription',
]

/**
 * Activity as CSV by RFC 4180, with a header: times in ISO 8601 UTC, amounts in BTC with all eight decimals. `unnamed` is as
 * {@link nameCell} has it.
 */
export function formatActivityCsv(entries: readonly ActivityEntry[], unnamed: string): string {
  const lines = entries.map(entry => [
    new Date(entry.at).toISOString(),
    entry.status,
    entry.kind,
    amountOf(entry.net),
    amountOf(entry.fee),
    disarm(entry.counterparty),
    nameCell(entry.counterpartyName, unnamed),
    disarm(entry.label),
    disarm(entry.origin),
    entry.txid,
    entry.height === null ? '' : String(entry.height),
    entry.replacedBy ?? '',
    entry.about?.kind ?? '',
    disarm(entry.about?.inscription ?? null),
  ])
  return formatCsv([COLUMNS, ...lines])
}

function amountOf(sats: string | null): string {
  return sats === null ? '' : formatBtc(BigInt(sats))
}
