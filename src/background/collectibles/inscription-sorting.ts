import type { StorageArea } from '../../storage/storage-area.ts'
import { createInscriptionChoices } from './inscription-choices.ts'
import { createInscriptionTraits } from './inscription-traits.ts'

/** What the gallery is sorted by: what the person said (`inscription-choices.ts`), and what inscriptions are (`inscription-traits.ts`). */
export function createInscriptionSorting(areas: { local: StorageArea; session: StorageArea }) {
  const { load: loadTraits, recall: recallTraits, noteContent } = createInscriptionTraits(areas)
  return { ...createInscriptionChoices(areas), loadTraits, recallTraits, noteContent }
}

export type InscriptionSortingStore = ReturnType<typeof createInscriptionSorting>
