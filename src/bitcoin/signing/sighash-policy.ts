import { isSighash, type Sighash } from './sighash.ts'

/** What asks for a signature: the PSBT's field, the page's list, and how much the person has allowed. */
export type SighashRequest = {
  taproot: boolean
  /** PSBT_IN_SIGHASH_TYPE; null when absent. */
  field: number | null
  /** The page's `sighashTypes`; null and an empty list are the same. */
  listed: readonly number[] | null
  /** Also signatures that leave outputs free or the other inputs unprotected. */
  expert: boolean
}

/**
 * The sighash to sign with; null when none may be. Whatever covers less than the whole transaction needs the field and the
 * list to agree; without ANYONECANPAY for SINGLE, and for NONE, also an expert.
 */
export function chooseSighash(request: SighashRequest): Sighash | null {
  const { taproot, field, expert } = request
  const listed = request.listed?.length ? request.listed : null
  const safe = taproot ? [0, 1] : [1]
  const chosen = field ?? safe.find(type => !listed || listed.includes(type))
  if (chosen === undefined || !isSighash(chosen)) return null
  if (listed && !listed.includes(chosen)) return null
  if (safe.includes(chosen)) return chosen
  const open = chosen === 0x81 || chosen === 0x83
  return listed && chosen > 1 && (open || expert) ? chosen : null
}
