import { fetchActivityPage } from '../activity/activity-page.ts'
import { parsePage } from './read-page.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getActivity: UiMethod<'getActivity'> = async ({ wallet }, params) => {
  const page = parsePage(params)
  const { network, account } = await loadSelected(wallet)
  return fetchActivityPage(wallet, network, account, page)
}
