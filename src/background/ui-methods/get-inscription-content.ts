import { fetchContentView } from '../inscription-content.ts'
import { readInscriptionId } from './read-inscription-id.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getInscriptionContent: UiMethod<'getInscriptionContent'> = async (
  { wallet },
  params,
) => {
  const id = readInscriptionId(params.id)
  const { network } = await loadSelected(wallet)
  return fetchContentView(wallet, network, id, { preview: params.preview === true })
}
