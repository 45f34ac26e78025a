import { formatBtc } from '../../bitcoin/amount.ts'
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

/** What a spreadsheet takes for a formula at the start of a cell, in its wide forms too. */
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/

/** Activity as CSV by RFC 4180, with a header: times in ISO 8601 UTC, amounts in BTC with all eight decimals. */
export function formatActivityCsv(entries: readonly ActivityEntry[]): string {
  const lines = entries.map(entry => [
    new Date(entry.at).toISOString(),
    entry.status,
    entry.kind,
    amountOf(entry.net),
    amountOf(entry.fee),
    disarm(entry.counterparty),
    disarm(entry.counterpartyName),
    disarm(entry.label),
    disarm(entry.origin),
    entry.txid,
    entry.height === null ? '' : String(entry.height),
    entry.replacedBy ?? '',
    entry.about?.kind ?? '',
    disarm(entry.about?.inscription ?? null),
  ])
  return [COLUMNS, ...lines].map(fields => `${fields.map(quote).join(',')}\r\n`).join('')
}

function amountOf(sats: string | null): string {
  return sats === null ? '' : formatBtc(BigInt(sats))
}

/** An apostrophe makes a spreadsheet read the cell as text: names and notes may come from others. */
function disarm(text: string | null): string {
  return text !== null && FORMULA_START.test(text) ? `'${text}` : (text ?? '')
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
