import type { Network } from '../../bitcoin/network.ts'
import type { Brc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import type { ContentKind, ContentView } from './asset-views.ts'
import type { Brc20Effect } from './brc20-views.ts'
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
  /** JSON that every inscription says of itself; null for none. */
  metadata: string | null
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
  /** JSON that it says of itself; null for none, and for what JSON has no words for. */
  metadata: string | null
  /** What it will look like. */
  preview: ContentView
  delegate: string | null
  /** Null for what is no BRC-20. */
  brc20: Brc20Effect | null
  /** Of the reveal. */
  fee: string
  vsize: number
}

/** One commit and its reveals: to inscribe, to pay more for what waits, or to take the money back. */
export type InscribeReview = {
  kind: 'inscribe'
  purpose: 'inscribe' | 'bump' | 'refund'
  /** The job that is changed; null for a new one. */
  jobId: string | null
  /** What is inscribed; of a bump or a refund, the items that it concerns. */
  items: InscribeItemView[]
  parent: string | null
  /** Own address that the inscriptions go to. */
  receiver: string
  /** Sats of each inscription's output. */
  postage: string
  feeRate: number
  /** What the last blocks were paid, in sat/vB; null where the wallet could not check it. */
  recentFeeRate: number | null
  /** The transaction that is signed first: the commit, the refund, or of a bump that leaves the commit alone, null. */
  commit: {
    fee: string
    vsize: number
    inputs: ReviewedInput[]
    outputs: ReviewedOutput[]
  } | null
  /** All fees together; of a bump and a refund, those that are paid anew in all and what was paid before. */
  totalFee: string
  previousFee: string | null
  /** Fees and postage, what the account can spend less afterwards; of a refund negative: what comes back. */
  cost: string
  balanceAfter: string
  warnings: Warning[]
}

export type InscribePlanView = { planId: string; digest: string; review: InscribeReview }

/** What became of an item: not handed over yet, in the mempool, in a block, refused by the network, taken back. */
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
   * `sending`: the commit is not with the network; `revealing`: it is, and not all reveals are; `waiting`: all are, and not
   * all in blocks; `stuck`: goes no further by itself; `ended`: nothing was or will be inscribed, and no money is in it.
   */
  state: 'sending' | 'revealing' | 'waiting' | 'stuck' | 'done' | 'refunding' | 'refunded' | 'ended'
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
    /** `<txid>i0` of the reveal as it stands now. */
    inscriptionId: string
    fee: string
    explorerUrl: string | null
  }[]
  postage: string
  /** Sats in the commit's outputs that no reveal has taken into the network yet. */
  locked: string
  /** Why it is stuck or slow, in the node's or server's words; null when all is well. */
  problem: { kind: 'refused' | 'unanswered' | 'commit-gone' | 'reorganised'; detail: string } | null
  can: {
    resume: boolean
    /** Least fee rate; null where it cannot be done. */
    bump: { leastFeeRate: number } | null
    refund: { leastFeeRate: number } | null
    /** Forget it: the commit never reached the network, and its coins are free again. */
    discard: boolean
  }
}
