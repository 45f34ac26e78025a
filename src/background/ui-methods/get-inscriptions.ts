import { listInscriptions } from '../collectibles/inscriptions.ts'
import { parsePage } from './read-page.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getInscriptions: UiMethod<'getInscriptions'> = async ({ wallet }, params) => {
  const page = parsePage(params)
  const { network, account } = await loadSelected(wallet)
  return listInscriptions(wallet, account, network, page)
}
