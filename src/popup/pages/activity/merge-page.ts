import type { ActivityEntry } from '../../../background/views/activity-views.ts'

/**
 * The known entries with a page that was just read at `offset`: entries of the page take their new places, the others stay in
 * their order. No transaction is listed twice. An entry that did not change stays the same object, so that its row is not
 * rendered again.
 */
export function mergePage(
  known: readonly ActivityEntry[],
  page: readonly ActivityEntry[],
  offset: number,
): ActivityEntry[] {
  const before = new Map(known.map(entry => [entry.txid, entry]))
  const fresh = new Set(page.map(({ txid }) => txid))
  const others = known.filter(({ txid }) => !fresh.has(txid))
  const head = others.slice(0, offset)
  const news = page.map(entry => {
    const old = before.get(entry.txid)
    return old && JSON.stringify(old) === JSON.stringify(entry) ? old : entry
  })
  return [...head, ...news, ...others.slice(head.length)]
}

export type EntryGroup = {
  /** "unsent", "waiting", or year and month of those in it, such as "2026-11". */
  key: string
  /** Any moment of the month; null for those that are in no block. */
  month: number | null
  entries: ActivityEntry[]
}

/** Cuts a list at its months; what was not sent and what waits for a block come first, in groups of their own. */
export function groupEntries(entries: readonly ActivityEntry[]): EntryGroup[] {
  const groups: EntryGroup[] = []
  const isUnsent = ({ status }: ActivityEntry) => status === 'unsent'
  for (const entry of [...entries.filter(isUnsent), ...entries.filter(one => !isUnsent(one))]) {
    const { key, month } = groupOf(entry)
    const last = groups.at(-1)
    if (last?.key === key) last.entries.push(entry)
    else groups.push({ key, month, entries: [entry] })
  }
  return groups
}

function groupOf({ status, at }: ActivityEntry): Omit<EntryGroup, 'entries'> {
  if (status === 'unsent') return { key: 'unsent', month: null }
  const isOver = status === 'confirmed' || status === 'replaced' || status === 'failed'
  if (!isOver) return { key: 'waiting', month: null }
  const date = new Date(at)
  return { key: `${date.getFullYear()}-${date.getMonth() + 1}`, month: at }
}
