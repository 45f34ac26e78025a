import { formatActivityCsv } from '../activity/activity-csv.ts'
import { fetchAllActivity } from '../activity/activity-page.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const exportActivity: UiMethod<'exportActivity'> = async ({ wallet }) => {
  const { network, account } = await loadSelected(wallet)
  const { entries, complete } = await fetchAllActivity(wallet, network, account)
  return { csv: formatActivityCsv(entries), complete }
}
