import { invalidParams } from '../../provider/errors.ts'

const MAX_LENGTH = 40

/** Whatever is not seen, or makes text read in another order: control and format characters, line ends, blank fillers. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** A name of an account or contact as it is stored: 1 to 40 characters, none of them invisible. Throws -32602. */
export function checkName(name: unknown): string {
  const trimmed = typeof name === 'string' ? name.normalize('NFC').trim() : ''
  const { length } = [...trimmed]
  if (length === 0 || length > MAX_LENGTH || UNSEEN.test(trimmed))
    throw invalidParams('name', name, `1 to ${MAX_LENGTH} visible characters`)
  return trimmed
}
