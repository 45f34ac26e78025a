import type { GivenName } from './account-views.ts'
import type { PaidBefore } from './payment-views.ts'

/** Tokens that go to somebody with the transfer inscription that is made for it. */
export type DeliveryTerms = {
  /** Address of the receiver. */
  to: string
  tick: string
  /** Decimal, in whole tokens. */
  amount: string
}

/** The transaction that sends the transfer inscription on, before it is signed; sats are decimal strings. */
export type DeliveryReview = DeliveryTerms & {
  /** scriptPubKey of the receiver, in hex. */
  script: string
  /** The receiver's name among contacts and own accounts; null for none. */
  name: GivenName | null
  /** Absent for an address that is known: paid before, a contact's, or own. */
  paidBefore?: PaidBefore
  fee: string
  vsize: number
}

/**
 * How a delivery stands: `waiting` for its reveal or to be handed over, `pending` in the mempool, `confirmed` in a block,
 * `refused` by the network, or `kept`: the transfer inscription stays with the account, or was never made.
 */
export type DeliveryState = 'waiting' | 'pending' | 'confirmed' | 'refused' | 'kept'

/** A delivery as the job that makes it shows it. */
export type DeliveryProgress = DeliveryTerms & {
  state: DeliveryState
  txid: string | null
  fee: string
  explorerUrl: string | null
}
