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

/** The first of “Account 1”, “Account 2”, … that is not taken. */
export function nextAccountName(taken: readonly string[]): string {
  return nextName('Account', taken)
}

/** The same of “Wallet 1”, “Wallet 2”, …. */
export function nextPhraseName(taken: readonly string[]): string {
  return nextName('Wallet', taken)
}

function nextName(kind: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = `${kind} ${number}`
    if (!taken.includes(name)) return name
  }
}
