/** bitcoind's JSON-RPC error codes for a refused transaction. */
export const RPC_VERIFY_ERROR = -25
export const RPC_VERIFY_REJECTED = -26
export const RPC_ALREADY_IN_UTXO_SET = -27
export const RPC_DESERIALIZATION_ERROR = -22

/** Why a transaction is refused: Core's reject reason, and the detail that Core appends to it. */
export interface Rejection {
  reason: string
  details?: string
  /** -26 unless said otherwise. */
  code?: number
}

export function reject(reason: string, details?: string): Rejection {
  return details === undefined ? { reason } : { reason, details }
}

/** Core's text: the reason, a comma, the details. */
export function formatRejection({ reason, details }: Rejection): string {
  return details ? `${reason}, ${details}` : reason
}

/** A transaction that the mempool refuses; the message is what bitcoind would say. */
export class RejectedError extends Error {
  readonly code: number
  readonly rejection: Rejection
  constructor(rejection: Rejection) {
    super(formatRejection(rejection))
    this.name = 'RejectedError'
    this.code = rejection.code ?? RPC_VERIFY_REJECTED
    this.rejection = rejection
  }
}
