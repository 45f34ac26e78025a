/** What a person has to do in the wallet. */
export type Answer =
  | 'approve'
  | 'reject'
  /** Some wallets broadcast what they have signed without another question. */
  | 'approve if asked'
  /** Writes this amount into the question, and approves it and what follows. */
  | `fill ${string}`
  | 'switch'
  | 'switch back'

/** The wallet does not do what the specification says. */
export class Failed extends Error {
  override name = 'Failed'
}

/** The check says nothing about this wallet, here and now. */
export class NotApplicable extends Error {
  override name = 'NotApplicable'
}

export type Outcome =
  | { kind: 'resolved'; result: unknown }
  | { kind: 'rejected'; thrown: unknown }
  /** A call has to return a promise, and to reject it. */
  | { kind: 'broken'; what: string }
  | { kind: 'silent'; seconds: number }
  | { kind: 'skipped' }
