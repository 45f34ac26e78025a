import type { Network } from '../../bitcoin/network.ts'
import type { ServerProblem } from '../../chain/chain-source.ts'
import type { ReviewedInput, ReviewedOutput } from './payment-views.ts'
import type { BatchAbout } from './psbt-views.ts'

export type { ServerProblem }

/**
 * `unsent` while it is signed and kept back until something spends its outputs; `sending` until a server took it; `pending` in the mempool; `reorganised` when it was in a block that is no longer part
 * of the chain, and waits again; `replaced` when another transaction spends its inputs; `failed` when the network refuses it.
 */
export type ActivityStatus =
  | 'unsent'
  | 'sending'
  | 'pending'
  | 'confirmed'
  | 'reorganised'
  | 'replaced'
  | 'failed'

/**
 * `pushed` came signed from a site; `moved` pays only this account; `prepared` makes small coins for a site's next
 * transaction; `commit` pays for inscriptions, `reveal` makes one, `refund` takes back what was not revealed; the last three
 * change an earlier payment.
 */
export type ActivityKind =
  | 'sent'
  | 'received'
  | 'moved'
  | 'pushed'
  | 'prepared'
  | 'commit'
  | 'reveal'
  | 'refund'
  | 'speed-up'
  | 'child'
  | 'cancel'

/** A transaction of an account, sent by this wallet or found on the chain. */
export type ActivityEntry = {
  txid: string
  network: Network
  accountId: string
  kind: ActivityKind
  status: ActivityStatus
  /** Effect on the account in sats, fee included: negative when it pays; null when not known. */
  net: string | null
  /** The first recipient that is not this account, or for what was received the first sender. */
  counterparty: string | null
  /** Name of the counterparty in the address book or among the accounts. */
  counterpartyName: string | null
  fee: string | null
  /** The site that asked; null for the popup and for what others sent. */
  origin: string | null
  /** The person's own note; empty for none. */
  label: string
  /** When this wallet sent it or first saw it, or the time of its block. */
  at: number
  height: number | null
  /** Txid of the transaction that took its place. */
  replacedBy: string | null
  /** What the site that asked said it is; null for most. */
  about: BatchAbout
}

export type ActivityPage = {
  /** Newest first; those that wait for a block come before all others. */
  entries: ActivityEntry[]
  /** Whether there are more after these. */
  more: boolean
  /** Why the server's part is missing or old; null when it is current. */
  problem: ServerProblem | null
}

export type ActivityDetails = {
  entry: ActivityEntry
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  vsize: number | null
  feeRate: number | null
  /** Blocks on top of its own and that one; 0 while unconfirmed. */
  confirmations: number
  /** The transaction on the explorer of the network; null where there is none. */
  explorerUrl: string | null
}

export type Overview = {
  /** Null with `problem` when the server does not answer. */
  balance: { confirmed: string; unconfirmed: string } | null
  problem: ServerProblem | null
  /** The newest entries, as many as a first screen needs. */
  activity: ActivityEntry[]
  /** Whether there is older activity. */
  more: boolean
  /** What one bitcoin costs in the chosen currency; null when switched off or not known. */
  price: { currency: string; perBitcoin: number } | null
}
