import { fetchActivityDetails } from '../activity/activity-details.ts'
import { parseTxid } from './read-txid.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getActivityDetails: UiMethod<'getActivityDetails'> = async ({ wallet }, { txid }) => {
  const { network, account } = await loadSelected(wallet)
  return fetchActivityDetails(wallet, network, account, parseTxid(txid))
}
