import type { InscriptionId } from '../../../ordinals/inscription-id.ts'
import type { Envelope } from '../../../ordinals/inscriptions/envelope.ts'

/** Why ord numbers an inscription below zero before the jubilee, and vindicates it from then on. */
export type Curse =
  | 'unrecognized even field'
  | 'duplicate field'
  | 'incomplete field'
  | 'not in first input'
  | 'not at offset zero'
  | 'pointer'
  | 'pushnum'
  | 'stutter'
  | 'reinscription'

/**
 * The first curse in ord's order (`inscription_updater.rs`), or null. `present` are the inscriptions that the first sat of
 * the envelope's input carries already; a second one over a single cursed one is no curse.
 */
export function findCurse(
  envelope: Envelope,
  present: readonly InscriptionId[],
  wasCursed: (id: InscriptionId) => boolean,
): Curse | null {
  if (envelope.unrecognizedEvenField) return 'unrecognized even field'
  if (envelope.duplicateField) return 'duplicate field'
  if (envelope.incompleteField) return 'incomplete field'
  if (envelope.input !== 0) return 'not in first input'
  if (envelope.offset !== 0) return 'not at offset zero'
  if (envelope.fields.pointer) return 'pointer'
  if (envelope.pushnum) return 'pushnum'
  if (envelope.stutter) return 'stutter'
  const [first, ...more] = present
  if (first === undefined || (more.length === 0 && wasCursed(first))) return null
  return 'reinscription'
}
