import { parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { invalidParams } from '../../provider/errors.ts'

/** The id of an inscription from a page of ours. Throws -32602. */
export function parseInscriptionIdParam(value: unknown): string {
  if (typeof value === 'string' && parseInscriptionId(value)) return value
  throw invalidParams('id', value, 'an inscription id')
}
