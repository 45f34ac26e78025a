import { fetchInscriptionDetail } from '../collectibles/inscriptions.ts'
import { parseInscriptionIdParam } from './read-inscription-id.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getInscription: UiMethod<'getInscription'> = async ({ wallet }, params) => {
  const id = parseInscriptionIdParam(params.id)
  const { network, account } = await loadSelected(wallet)
  return fetchInscriptionDetail(wallet, account, network, id)
}
