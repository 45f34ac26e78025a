import { formatBtc } from '../../bitcoin/amount.ts'
import { disarm, formatCsv, nameCell } from '../primitives/csv.ts'
import type { AskedEntryView, AskedQuestion } from '../views/approval-history-views.ts'

const COLUMNS = [
  ...['asked', 'ended', 'origin', 'account', 'network', 'operation', 'question', 'answer'],
  ...['reason', 'count', 'net_btc', 'fee_btc', 'recipients', 'texts', 'txids'],
]

/**
 * What sites asked as CSV by RFC 4180, with a header: times in ISO 8601 UTC, amounts in BTC with all eight decimals, `net_btc`
 * negative where the wallet pays. Of lists the first entries, as they are kept, with a space between them. `unnamed` is as
 * {@link nameCell} has it.
 */
export function formatApprovalHistoryCsv(
  entries: readonly AskedEntryView[],
  unnamed: string,
): string {
  const lines = entries.map(entry => {
    const { count, net, fee, recipients, texts } = describe(entry.question)
    return [
      new Date(entry.at).toISOString(),
      new Date(entry.endedAt).toISOString(),
      disarm(entry.origin),
      nameCell(entry.accountName, unnamed),
      entry.network ?? '',
      disarm(entry.method),
      entry.question.kind,
      entry.answer,
      disarm(entry.reason),
      String(count),
      net === null ? '' : formatBtc(BigInt(net)),
      fee === null ? '' : formatBtc(BigInt(fee)),
      disarm(recipients.join(' ')),
      disarm(texts.join(' | ')),
      disarm(entry.txids.join(' ')),
    ]
  })
  return formatCsv([COLUMNS, ...lines])
}

type Described = {
  count: number
  /** Sats. */
  net: string | null
  fee: string | null
  recipients: string[]
  texts: string[]
}

function describe(question: AskedQuestion): Described {
  const plain: Described = { count: 1, net: null, fee: null, recipients: [], texts: [] }
  switch (question.kind) {
    case 'connect':
      return { ...plain, texts: [question.term] }
    case 'unlock':
      return plain
    case 'switch-network':
      return { ...plain, texts: [question.network] }
    case 'sign-messages':
      return { ...plain, count: question.count, texts: question.texts }
    case 'derive-context-hash':
      return { ...plain, texts: [question.appName] }
    case 'payment': {
      const { recipients, count, sats, fee } = question
      return {
        ...plain,
        ...{ count, net: `-${BigInt(sats) + BigInt(fee)}`, fee },
        recipients: recipients.map(({ address, sats }) => `${address}:${formatBtc(BigInt(sats))}`),
      }
    }
    case 'sign-psbts':
    case 'push':
      return { ...plain, count: question.count, net: question.net, fee: question.fee }
    case 'inscribe': {
      const { count, cost, fee, texts } = question
      return { ...plain, ...{ count, net: String(-BigInt(cost)), fee, texts } }
    }
    case 'rune-mint':
      return { ...plain, count: question.count, fee: question.fee, texts: [question.rune] }
    case 'brc20-amount':
      return { ...plain, texts: [question.tick] }
  }
}
