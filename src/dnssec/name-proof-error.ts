/**
 * - `missing`: there is no such record
 * - `unsigned`: a record or a zone on the way has no signatures
 * - `weak`: they are by SHA-1, short keys, or what this wallet does not know
 * - `expired`: they are of another time than now
 * - `forged`: they are not of these records and keys
 * - `wildcard`: it is not proven that a wildcard has no closer match
 * - `endless`: there are too many aliases or signatures
 */
export type ProofProblem =
  | 'missing'
  | 'unsigned'
  | 'weak'
  | 'expired'
  | 'forged'
  | 'wildcard'
  | 'endless'

/** Records that do not prove what a name holds. */
export class NameProofError extends Error {
  override name = 'NameProofError'
  readonly problem: ProofProblem
  /** The name and type that is to blame, for messages. */
  readonly subject: string
  constructor(problem: ProofProblem, subject: string) {
    super(`DNSSEC: ${problem}: ${subject}`)
    this.problem = problem
    this.subject = subject
  }
}

/** What tells most of why several signatures of one set do not count. */
const TELLING: readonly ProofProblem[] = ['endless', 'expired', 'forged', 'weak', 'unsigned']

/** The failure of a set of records of which each signature failed. */
export function mostTelling(failures: readonly NameProofError[]): NameProofError | undefined {
  const rank = ({ problem }: NameProofError) => (TELLING.indexOf(problem) + 99) % 99
  return failures.toSorted((a, b) => rank(a) - rank(b))[0]
}
