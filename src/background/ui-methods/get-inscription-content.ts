import { atomicalOfKey } from '../../ordinals/asset-key.ts'
import { fetchAtomicalContent } from '../collectibles/atomical-mint.ts'
import { fetchContentView } from '../collectibles/inscription-content.ts'
import { readAtomicalId } from './get-atomical.ts'
import { readInscriptionId } from './read-inscription-id.ts'
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
    return fetchAtomicalContent(wallet, network, readAtomicalId(atomical), size)
  return fetchContentView(wallet, network, readInscriptionId(params.id), size)
}
