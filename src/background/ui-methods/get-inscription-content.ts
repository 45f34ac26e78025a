import { atomicalOfKey } from '../../ordinals/asset-key.ts'
import { fetchAtomicalContent } from '../collectibles/atomical-mint.ts'
import { fetchContentView } from '../collectibles/inscription-content.ts'
import { parseAtomicalIdParam } from './get-atomical.ts'
import { parseInscriptionIdParam } from './read-inscription-id.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getInscriptionContent: UiMethod<'getInscriptionContent'> = async (
  { wallet },
  params,
) => {
  const { network } = await loadSelected(wallet)
  const size = { preview: params.preview === true }
  const atomical = atomicalOfKey(String(params.id))
  if (atomical !== null)
    return fetchAtomicalContent(wallet, network, parseAtomicalIdParam(atomical), size)
  return fetchContentView(wallet, network, parseInscriptionIdParam(params.id), size)
}
