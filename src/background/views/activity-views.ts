import type { Network } from '../../bitcoin/network.ts'
import type { GivenName } from './account-views.ts'
import type { ReviewedInput, ReviewedOutput } from './payment-views.ts'
import type { BatchAbout } from './psbt-views.ts'
import type { ServerProblem } from './settings-views.ts'

/**
 * - `unsent`: signed, and withheld until a transaction spends its outputs, or until more mints of its rune are left
 * - `sending`: no server has taken it yet
 * - `pending`: in the mempool
 * - `reorganised`: its block is no longer part of the chain, so it waits again
 * - `replaced`: another transaction spends its inputs
 * - `failed`: the network refused it
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
 * - `moved`: pays only this account
 * - `pushed`: came signed from a site
 * - `prepared`: makes small coins for a site's next transaction
 * - `commit` pays for inscriptions or a rune, `reveal` makes an inscription, `etching` a rune, `refund` takes back what was not revealed
 * - `delivery` sends on what a reveal made
 * - `mint` mints a rune once
 * - `burn` destroys an inscription on purpose
 * - `speed-up` and `cancel` replace an earlier payment (RBF), `child` spends its output (CPFP)
 */
export type ActivityKind =
  | 'sent'
  | 'received'
  | 'moved'
  | 'pushed'
  | 'prepared'
  | 'commit'
  | 'reveal'
  | 'etching'
  | 'refund'
  | 'delivery'
  | 'mint'
  | 'burn'
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
  /** The first recipient that is not this account; of a received transaction, the first sender. */
  counterparty: string | null
  /** Name of the counterparty in the address book or among the own accounts. */
  counterpartyName: GivenName | null
  fee: string | null
  /** The site that asked; null for the popup and for what others sent. */
  origin: string | null
  /** The person's own note; empty for none. */
  label: string
  /** Milliseconds since 1970: when this wallet sent or first saw it, or the time of its block. */
  at: number
  height: number | null
  /** Txid of the conflicting transaction that was mined or accepted instead. */
  replacedBy: string | null
  /** What the site says the transaction is for; null for most. */
  about: BatchAbout
}

export type ActivityPage = {
  /** Newest first; unconfirmed ones before all others. */
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
  /** Its own block counts as 1; 0 while unconfirmed. */
  confirmations: number
  /** URL where a person can look at the transaction; null where the chain server has no such page. */
  explorerUrl: string | null
}

/**
 * What is proven of a transaction that a server shows in a block; `blocks` is the work behind it, in blocks of the difficulty of
 * this release's day, and null on networks whose work says nothing.
 * - `proven`: in a chain of headers up to the newest block
 * - `old`: its block and those right after it took the work of their time
 * - `unproven`: see {@link ProofFault}
 */
export type ConfirmationProof =
  | { is: 'proven' | 'old'; confirmations: number; blocks: number | null }
  | { is: 'unproven'; fault: ProofFault }

/**
 * - `no-block`: the server has it in no block any more
 * - `chain`: the server's newest blocks are refused
 * - `beyond-tip`: the server's block comes after the chain with the most work
 * - `header`: the header of its block, or those after it, took too little work or are not linked
 * - `merkle-proof`: the server cannot show that the block has it
 * - `no-answer`: the server gives no proof, or no headers
 */
export type ProofFault =
  | 'no-block'
  | 'chain'
  | 'beyond-tip'
  | 'header'
  | 'merkle-proof'
  | 'no-answer'

/** A payment that came, of which the server alone says that it is in a block. */
export type UnprovenPayment = { txid: string; fault: ProofFault }

/** A payment of ours that some chain servers have (`knows`, their hosts) and others do not; `rawTx` in hex, for another wallet or node. */
export type UnsharedPayment = { txid: string; rawTx: string; knows: string[]; lacks: string[] }

export type UnsharedPayments = {
  payments: UnsharedPayment[]
  /** When the next one is to be looked for; null for none. */
  askAgainInMs: number | null
}

export type Overview = {
  /** Null with `problem` when the server does not answer. */
  balance: { confirmed: string; unconfirmed: string } | null
  problem: ServerProblem | null
  /** The newest entries, as many as a first screen needs. */
  activity: ActivityEntry[]
  /** Whether there is older activity. */
  more: boolean
  /** Price of one bitcoin in the chosen currency; null when switched off or not known. */
  price: { currency: string; perBitcoin: number } | null
}
