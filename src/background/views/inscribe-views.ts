import type { Network } from '../../bitcoin/network.ts'
import type { Brc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import type { ContentKind, ContentView } from './asset-views.ts'
import type { Brc20Effect } from './brc20-views.ts'
import type { DeliveryProgress, DeliveryReview } from './delivery-views.ts'
import type { EtchingProgress, EtchingReview, EtchingTermsDraft } from './etching-views.ts'
import type { ReviewedInput, ReviewedOutput, Warning } from './payment-views.ts'

/** What a person wants to inscribe; from the popup's form. */
export type InscribeDraft = {
  /** 1 to 24. */
  items: InscribeItem[]
  /** Sats of each inscription's output. */
  postage: number
  /** sat/vB. */
  feeRate: number
  /** Id of an own inscription; null for none. */
  parent: string | null
  /** JSON that goes into every inscription as metadata (tag 5); null for none. */
  metadata: string | null
  /** The person's own note in the activity; empty for none. */
  label: string
}

/** A rune that a person wants to etch; from the popup's form. */
export type EtchingDraft = {
  /** With its spacers, such as `UNCOMMON•GOODS`. */
  name: string
  /** One character. */
  symbol: string
  /** Decimals, 0 to 38. */
  divisibility: number
  /** Whole runes (decimal); empty for none. */
  premine: string
  terms: EtchingTermsDraft | null
  /** Whether it opts into later changes of the protocol. */
  turbo: boolean
  /** What the same transaction inscribes; null for nothing. */
  inscription: InscribeItem | null
  /** Sats of each own output: the inscription's, and the premine's. */
  postage: number
  /** sat/vB. */
  feeRate: number
  /** The person's own note in the activity; empty for none. */
  label: string
}

export type InscribeItem =
  | { kind: 'text'; text: string }
  /** The bytes as they are inscribed: compressed where an encoding is named. */
  | { kind: 'file'; contentType: string; encoding: 'gzip' | null; hex: string }
  | { kind: 'brc-20'; operation: Brc20Operation }
  /** Shows what another inscription shows. */
  | { kind: 'delegate'; id: string }

export type InscribeItemView = {
  kind: ContentKind
  contentType: string | null
  contentLength: number
  /** How the content is compressed; null for not at all. */
  encoding: string | null
  /** Its metadata (tag 5) as JSON; null for none, and for CBOR that JSON cannot express. */
  metadata: string | null
  /** How it will be shown. */
  preview: ContentView
  delegate: string | null
  /** Null where the content is no BRC-20 operation. */
  brc20: Brc20Effect | null
  /** Fee and vsize of its reveal; 0 where none is known. */
  fee: string
  vsize: number
}

/** One commit and its reveals: to inscribe, to raise the fees of what is unconfirmed, or to take the money back. */
export type InscribeReview = {
  kind: 'inscribe'
  purpose: 'inscribe' | 'bump' | 'refund'
  /** Id of the job that is changed; null for a new one. */
  jobId: string | null
  /** What is inscribed; of a bump or a refund, the items that it changes. */
  items: InscribeItemView[]
  parent: string | null
  /** The rune that is etched; null for none. Without an inscription there are no items then. */
  etching: EtchingReview | null
  /** Sends the only item, a transfer inscription, on to somebody; null where the inscriptions stay. */
  delivery: DeliveryReview | null
  /** Own address that the inscriptions are revealed to. */
  receiver: string
  /** Sats that stay on each inscription, here or with the receiver. */
  postage: string
  feeRate: number
  /** What the last blocks were paid, in sat/vB; null where the wallet could not check. */
  recentFeeRate: number | null
  /** The commit, or the refund; null for a bump that changes reveals alone. */
  commit: {
    fee: string
    vsize: number
    inputs: ReviewedInput[]
    outputs: ReviewedOutput[]
  } | null
  /** Fees of all new transactions; `previousFee` is what those pay that a bump or refund replaces, else null. */
  totalFee: string
  previousFee: string | null
  /** Fees and postage: what the account can spend less afterwards. Negative for a refund. */
  cost: string
  balanceAfter: string
  warnings: Warning[]
}

/** A commit of which the wallet has no record, and what is known of it; from the popup's form. */
export type CommitRefundDraft = {
  /** Null to look for it in the account's history. */
  txid: string | null
  /** What it may hold, 0 to 48. */
  items: InscribeItem[]
  /** Hashes of leaves (BIP-341, 32 bytes in hex), for what is not there any more, 0 to 24. */
  leafHashes: string[]
  /** Of all items: as of {@link InscribeDraft}, and the rune that was etched with them or alone; null for none. */
  parent: string | null
  metadata: string | null
  rune: string | null
  /** sat/vB; null to find out what there is, without a plan. */
  feeRate: number | null
}

/**
 * What there is of a commit:
 * - `no-transaction`: the network does not have it
 * - `no-match`: no output of it (or of the account's transactions) holds any of what was given, under this account's key
 * - `job`: the wallet has its record, where it is taken back
 * - `spent`: all of it was revealed or taken back, in blocks
 * - `found`: sats of so many of its outputs can come back; `plan` is null where no fee rate was given
 */
export type CommitRefundView =
  | { state: 'no-transaction' | 'no-match' | 'spent' }
  | { state: 'job'; jobId: string }
  | {
      state: 'found'
      txid: string
      outputs: number
      sats: string
      confirmed: boolean
      leastFeeRate: number
      plan: InscribePlanView | null
    }

export type InscribePlanView = { planId: string; digest: string; review: InscribeReview }

/** State of an item's reveal: not broadcast, in the mempool, in a block, refused by the network, or its money taken back. */
export type JobItemState = 'waiting' | 'pending' | 'confirmed' | 'refused' | 'refunded'

export type JobView = {
  id: string
  network: Network
  accountId: string
  /** The site that asked; null for the popup. */
  origin: string | null
  label: string
  at: number
  /**
   * - `sending`: the network does not have the commit
   * - `revealing`: it has the commit, but not all reveals
   * - `maturing`: it has the commit, which is not old enough yet for the etching
   * - `waiting`: it has all of them, but not all are in blocks
   * - `stuck`: the job cannot go on by itself
   * - `ended`: nothing was or will be inscribed, and no money is in it
   */
  state:
    | 'sending'
    | 'revealing'
    | 'maturing'
    | 'waiting'
    | 'stuck'
    | 'done'
    | 'refunding'
    | 'refunded'
    | 'ended'
  commit: {
    txid: string
    confirmed: boolean
    fee: string
    feeRate: number
    explorerUrl: string | null
  }
  items: {
    kind: ContentKind
    contentType: string | null
    contentLength: number
    state: JobItemState
    /** `<txid>i0` of the current reveal; it changes when the reveal is replaced. */
    inscriptionId: string
    fee: string
    explorerUrl: string | null
  }[]
  /** The rune that its only item etches; null for none. */
  etching: EtchingProgress | null
  /** Where its only item, a transfer inscription, is sent on to; null where the inscriptions stay. */
  delivery: DeliveryProgress | null
  postage: string
  /** Sats in outputs of the commit that no reveal in the network spends yet. */
  locked: string
  /** Why it is stuck or slow; `detail` is in the node's or server's words. Null when all is well. */
  problem: {
    kind: 'refused' | 'unanswered' | 'commit-gone' | 'reorganised' | 'name-taken'
    detail: string
  } | null
  can: {
    resume: boolean
    /** Least fee rate in sat/vB; null where it cannot be done. */
    bump: { leastFeeRate: number } | null
    refund: { leastFeeRate: number } | null
    /**
     * The commit never reached the network, so the job can be forgotten and its coins are free again; or the delivery never
     * did, so the transfer inscription can stay.
     */
    discard: boolean
  }
}
