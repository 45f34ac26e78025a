import { invalidParams } from '../../provider/errors.ts'

const MAX_LENGTH = 40

/** Whatever is not seen, or makes text read in another order: control and format characters, line ends, blank fillers. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** A name of an account or contact as it is stored: 1 to 40 characters. Throws -32602, with `data.problem` NAME where one of them is invisible. */
export function checkName(name: unknown): string {
  const trimmed = typeof name === 'string' ? name.normalize('NFC').trim() : ''
  const { length } = [...trimmed]
  const hasUnseen = UNSEEN.test(trimmed)
  if (length === 0 || length > MAX_LENGTH || hasUnseen) {
    const data = hasUnseen ? { problem: 'NAME' } : undefined
    throw invalidParams('name', name, `1 to ${MAX_LENGTH} visible characters`, data)
  }
  return trimmed
}
