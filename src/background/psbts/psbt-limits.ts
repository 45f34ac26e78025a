import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import { countChecks } from '../../bitcoin/psbt/signatures.ts'
import { failure } from '../../provider/errors.ts'

/** More than anybody looks at. Session storage has to hold it as well. */
const MAX_PARTS = 3_000
const SCRIPT_BYTES_A_PART = 250

/** More than a transaction that is relayed has; some seconds of work. */
const MAX_CHECKS = 5_000

/** Throws TOO_LARGE for PSBTs that nobody could look through. */
export function assertReviewable(psbts: readonly Psbt[]): void {
  if (sumOf(psbts, countParts) > MAX_PARTS)
    throw failure('TOO_LARGE', `More than ${MAX_PARTS} inputs and outputs cannot be reviewed.`)
}

/** Throws TOO_LARGE for PSBTs whose signatures would keep the wallet busy. */
export function assertCheckable(psbts: readonly Psbt[]): void {
  if (sumOf(psbts, countChecks) > MAX_CHECKS)
    throw failure('TOO_LARGE', `More than ${MAX_CHECKS} signatures and leaves cannot be checked.`)
}

function countParts({ inputs, outputs }: Psbt): number {
  return outputs.reduce(
    (sum, { scriptPubKey }) =>
      sum + Math.max(1, Math.ceil(scriptPubKey.length / SCRIPT_BYTES_A_PART)),
    inputs.length,
  )
}

function sumOf(psbts: readonly Psbt[], count: (psbt: Psbt) => number): number {
  return psbts.reduce((sum, psbt) => sum + count(psbt), 0)
}
