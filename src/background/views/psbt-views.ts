import type { Certainty } from '../../bitcoin/psbt/binding.ts'
import type { AssetMoveView } from './asset-views.ts'
import type { ReviewedInput, ReviewedOutput, Warning } from './payment-views.ts'

/** Ours by script; a script that our key is part of; somebody else's; nothing known. */
export type OwnerView = 'own' | 'shared' | 'foreign' | 'unknown'

/** What a signature leaves to others: nothing; further inputs; everything but one output; and, for experts, even more. */
export type SighashView = 'all' | 'all-anyone' | 'single-anyone' | 'single' | 'none' | 'none-anyone'

export type PsbtInputView = ReviewedInput & {
  owner: OwnerView
  /** Name of the own account; null for others. */
  accountName: string | null
  /** How the amount is known: from the previous transaction, because a signature of ours covers it, or only from the PSBT; null when unknown. */
  proof: 'proven' | 'committed' | 'claimed' | null
  /** `to-sign` by approving; `signed` and `final` already; `open` needs somebody else. */
  state: 'to-sign' | 'signed' | 'final' | 'open'
  /** Of our signature, given now or before; null for inputs that are not ours to sign. */
  sighash: SighashView | null
  /** A signature of ours lets others exchange this input. */
  open: boolean
  /** Stands for a coin that somebody will put there (a zero hash). */
  placeholder: boolean
  /** Carries a signature that is wrong: the transaction cannot be valid as it is. */
  badSignature: boolean
}

export type PsbtOutputView = ReviewedOutput & {
  kind: 'own' | 'foreign' | 'data' | 'unknown'
  accountName: string | null
  /** Name of the address in the address book; null for none. */
  name: string | null
  /** A signature of ours does not cover this output: others may change it. */
  open: boolean
}

export type PsbtView = {
  /** Null where it is not certain. */
  txid: string | null
  inputs: PsbtInputView[]
  outputs: PsbtOutputView[]
  /** What each own account gains (negative: pays) as drawn; the account that is asked first. */
  nets: { accountId: string; accountName: string; sats: string }[]
  /** The same for all own accounts together. */
  net: { sats: string; certainty: Certainty }
  /** The least that they can end up with from these signatures, whatever others do. */
  worst: string
  /** Null when an amount is unknown. */
  fee: { sats: string; feeRate: number; certainty: Certainty } | null
  /** What the fee is at least while it is not known; null where that says nothing. */
  leastFee: string | null
  /** What the last blocks were paid, in sat/vB; null where the wallet could not check it. */
  recentFeeRate: number | null
  vsize: number
  vsizeExact: boolean
  /** Whether it can be broadcast as soon as it is signed, or needs others first. */
  after: 'complete' | 'needs-others'
  /** Seconds since 1970 or block height before which it is not valid; null for none. */
  locktime: number | null
  /** Where everything known to sit on the inputs lands; own ones first. */
  assets: AssetMoveView[]
  warnings: Warning[]
}

/** One approval for one PSBT or for a batch; signing all of them or none. */
export type SignPsbtReview = {
  kind: 'sign-psbt'
  /** At least one. */
  items: PsbtView[]
  /** Of all items together; `worst` when only those happen that cost something, or, where none does, the one that brings least. */
  total: { net: string; worst: string; fee: string | null }
  /** Pairs of items (from 0) that spend a coin in common: only one of the two can happen. */
  conflicts: [number, number][]
  /** What holds of the items together and of none alone. */
  warnings: Warning[]
}

/** What a site says an item of a batch is; only a label. */
export type BatchAbout = { kind: 'brc-20' | 'nft'; inscription: string | null } | null

/** What a signed transaction does. */
export type PushedTransaction = {
  txid: string
  /** What this wallet pays in all: its inputs less its outputs. */
  netCost: string
  /** Null while an input's amount is unknown. */
  fee: string | null
  feeRate: number | null
  /** As in {@link PsbtView}. */
  recentFeeRate: number | null
  vsize: number
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  /** Where everything known to sit on the inputs lands; own ones first. */
  assets: AssetMoveView[]
  warnings: Warning[]
}

/** Signed transactions that a site wants broadcast in their order. */
export type SendBatchReview = {
  kind: 'send-batch'
  items: (PushedTransaction & {
    itemId: string
    about: BatchAbout
    /** Shown in full when it was signed, or costs this wallet nothing. */
    clean: boolean
  })[]
  total: { netCost: string; fee: string | null }
}
