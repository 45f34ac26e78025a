import { listAtomicals } from '../collectibles/atomicals.ts'
import { parsePage } from './read-page.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getAtomicals: UiMethod<'getAtomicals'> = async ({ wallet }, params) => {
  const page = parsePage(params)
  const { network, account } = await loadSelected(wallet)
  return listAtomicals(wallet, account, network, page)
}
