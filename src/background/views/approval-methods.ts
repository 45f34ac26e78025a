import type { WireError } from '../../provider/errors.ts'
import type { ApprovalView } from './approval-views.ts'

/** What screens ask about the questions of sites. */
export type ApprovalMethods = {
  /** The approval to show now, or null: in the panel of a browser window, or without one named in the approval window. */
  getApproval(params: { panel: number } | null): ApprovalView | null
  /**
   * Approves or rejects; `digest` proves that what was approved is what was shown. `input` is what the person was asked to fill in.
   * Whether it counts: an approval does not where the request has ended meanwhile.
   */
  decide(params: {
    key: string
    decision: 'approve' | 'reject'
    digest: string
    input?: string
  }): boolean
  /**
   * What the site was told of a request, or of the last one that ended without a question; null where it has got an answer, waits,
   * or is forgotten.
   */
  getEndedRequest(params: { key: string | null }): WireError | null
  /** Brings the approval window, or the panel, to the front; for the notice on the start screen. */
  showApprovals(params: null): null
  /** Closes the approval window, unless a request waits; whether none does. */
  closeApprovals(params: null): boolean
}
