import { InvalidPaymentLinkError } from '../../bitcoin/bip321.ts'
import { NameProofError } from '../../dnssec/name-proof-error.ts'
import { InvalidInstructionsError } from '../../dnssec/payment-name.ts'
import { ProviderError } from '../../provider/errors.ts'
import type { NameProblem } from '../views/payment-views.ts'

/** A name that cannot be paid, for our own pages; `data.nameProblem` says why. */
export function nameError(
  name: string,
  nameProblem: NameProblem,
  options: ErrorOptions = {},
): ProviderError {
  const text = `${name}: expected a name that can be paid, found ${nameProblem}`
  return new ProviderError(-32602, text, { ...options, data: { name, nameProblem } })
}

/** The same of what a proof, its texts or the link in them throw; other errors as they are. */
export function asNameError(name: string, cause: unknown): unknown {
  if (cause instanceof NameProofError) return nameError(name, cause.problem, { cause })
  if (cause instanceof InvalidInstructionsError) return nameError(name, cause.problem, { cause })
  if (cause instanceof InvalidPaymentLinkError) return nameError(name, 'broken', { cause })
  return cause
}
