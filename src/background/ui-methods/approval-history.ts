import { NETWORKS } from '../../bitcoin/network.ts'
import { invalidParams, unauthorized } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { ApprovalHistory } from '../history/approval-history.ts'
import { formatApprovalHistoryCsv } from '../history/approval-history-csv.ts'
import type { Vault } from '../keys/vault.ts'
import type { AnswerFilter, AskedEntry, AskedEntryView } from '../views/approval-history-views.ts'
import { parseText } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type ApprovalHistoryMethodParts = {
  vault: Pick<Vault, 'status'>
  accounts: Pick<Accounts, 'list'>
  approvalHistory: Pick<ApprovalHistory, 'list' | 'clear'>
}

const FILTERS: readonly AnswerFilter[] = ['all', 'approved', 'not-approved']
const MOST_LISTED = 100

/** What sites asked and what was answered; only while the wallet is unlocked. */
export const approvalHistoryMethods = {
  async getApprovalHistory({ wallet }, { origin, answer, offset, limit }) {
    await assertUnlocked(wallet)
    if (!FILTERS.includes(answer))
      throw invalidParams('answer', answer, `one of ${FILTERS.join(', ')}`)
    const isPlace = Number.isSafeInteger(offset) && offset >= 0
    if (!isPlace) throw invalidParams('offset', offset, 'a whole number from 0')
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_LISTED)
      throw invalidParams('limit', limit, `a whole number from 1 to ${MOST_LISTED}`)
    const found = await wallet.approvalHistory.list({ origin: parseOrigin(origin), answer })
    const entries = await addNames(wallet, found.slice(offset, offset + limit))
    return { entries, total: found.length }
  },

  async exportApprovalHistory({ wallet }, { origin, unnamed }) {
    await assertUnlocked(wallet)
    const found = await wallet.approvalHistory.list({ origin: parseOrigin(origin), answer: 'all' })
    const entries = await addNames(wallet, found)
    return {
      csv: formatApprovalHistoryCsv(entries, parseText('unnamed', unnamed)),
      count: found.length,
    }
  },

  async clearApprovalHistory({ wallet }, { origin }) {
    await assertUnlocked(wallet)
    await wallet.approvalHistory.clear(parseOrigin(origin))
    return null
  },
} satisfies UiMethodsOf<ApprovalHistoryMethodParts>

async function assertUnlocked({ vault }: Pick<ApprovalHistoryMethodParts, 'vault'>): Promise<void> {
  if ((await vault.status()) !== 'unlocked') throw unauthorized('The wallet is locked.')
}

function parseOrigin(origin: unknown): string | null {
  if (origin !== null && typeof origin !== 'string')
    throw invalidParams('origin', origin, 'an origin, or null for all')
  return origin
}

async function addNames(
  { accounts }: Pick<ApprovalHistoryMethodParts, 'accounts'>,
  entries: readonly AskedEntry[],
): Promise<AskedEntryView[]> {
  const lists = await Promise.all(NETWORKS.map(network => accounts.list(network)))
  const names = new Map(lists.flat().map(({ id, name }) => [id, name]))
  return entries.map(entry => ({
    ...entry,
    accountName: (entry.accountId && names.get(entry.accountId)) ?? '',
  }))
}
