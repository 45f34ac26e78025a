import type { InscribePlan } from './inscribe-plan.ts'
import type { StoredInscribing, StoredRaisedReveals, StoredRefund } from './stored-inscribing.ts'
import type { StoredCoin } from './stored-payment.ts'

/** What is done about a job that does not come along, worked out and shown; exactly this is signed. */
export type JobChange = Omit<InscribePlan, 'inscribing'> & {
  jobId: string
  /** How often the job had been signed for when this was worked out. */
  attempts: number
  /** Clean coins of the account that pay, and the parent's coin, which comes back. */
  pays: StoredCoin[]
  parent: StoredCoin | null
  /** Txids that it takes the place of. */
  replaces: string[]
  does: /** A commit in the place of `before`, with reveals of its own. */
    | { kind: 'rebuild'; inscribing: StoredInscribing; before: string }
    /** Reveals that pay more; `before` are those in whose place they come. */
    | { kind: 'raise'; raised: StoredRaisedReveals; before: (string | null)[] }
    | { kind: 'refund'; refund: StoredRefund }
}
