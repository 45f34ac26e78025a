import { parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { words } from '../platform/words.ts'

/** What is wrong with the id of an inscription; null for nothing. */
export function explainInscriptionId(id: string): string | null {
  return parseInscriptionId(id.trim()) ? null : words('inscribeFormIdInvalid')
}

/** What is wrong with metadata; null for nothing, and for none. */
export function explainMetadata(metadata: string): string | null {
  if (metadata.trim() === '') return null
  if (!metadata.isWellFormed()) return words('commonBrokenCharacter')
  try {
    JSON.parse(metadata)
    return null
  } catch {
    return words('inscribeFormMetadataInvalid')
  }
}
