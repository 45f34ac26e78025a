import { canSign } from '../accounts/accounts.ts'
import type { UiMethod } from './ui-context.ts'

export const getApproval: UiMethod<'getApproval'> = async ({ wallet }) => {
  const queue = await wallet.approvals.queue()
  const record = queue[0]
  if (!record?.review || record.digest === null) return null
  const network = record.network ?? (await wallet.accounts.network())
  const accounts = await wallet.accounts.list(network)
  // A wallet that was locked meanwhile is unlocked first; then the question is there again.
  const locked = (await wallet.vault.status()) === 'locked'
  return {
    key: record.key,
    digest: record.digest,
    origin: record.origin,
    position: 1,
    total: queue.length,
    network,
    account: accounts.filter(canSign).find(({ id }) => id === record.accountId) ?? null,
    review: locked ? { kind: 'unlock', method: record.method } : record.review,
  }
}
