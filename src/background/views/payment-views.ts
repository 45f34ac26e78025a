import type { GivenName } from './account-views.ts'
import type {
  AssetMoveView,
  AssetView,
  HeldReason,
  RareSatView,
  UncheckedReason,
} from './asset-views.ts'
import type { RunestoneFlaw, RunestoneView } from './runestone-views.ts'

/** A payment as the person fills it in. */
export type PaymentDraft = {
  /** At least one, each an address or a name (BIP-353). At most one has `max`: all that the coins hold, less the fee. */
  recipients: { to: string; sats: string | 'max' }[]
  /** Text of an OP_RETURN output and its place among the outputs. */
  memo: { text: string; position: number } | null
  /** sat/vB. */
  feeRate: number
  /**
   * Outpoints that are all spent, besides a coin of each payment that ended before (so that it can never come back); null
   * leaves the choice to the wallet.
   */
  coins: string[] | null
  /** The person's own note in the activity; empty for none. */
  label: string
}

/**
 * `speed-up` replaces the transaction with a higher fee (RBF), `child` spends its output (CPFP), `cancel` replaces it with
 * a payment to oneself.
 */
export type BumpKind = 'speed-up' | 'child' | 'cancel'

/**
 * Which bumps a transaction allows now, with the least fee rate (sat/vB) each; null with the reason where it cannot be
 * done.
 */
export type BumpOptions = {
  [kind in BumpKind]:
    | { leastFeeRate: number; why: null }
    | { leastFeeRate: null; why: BumpObstacle }
}

export type BumpObstacle =
  | 'CONFIRMED'
  /** A later payment of this wallet spends its change, and would be undone. */
  | 'HAS_CHILDREN'
  /** Not all inputs are this wallet's. */
  | 'NOT_OURS'
  /** No output of it is this account's. */
  | 'NO_OWN_OUTPUT'
  /** Its outputs to this account are locked, or an asset sits on them or may. */
  | 'COINS_HELD'
  | 'INSUFFICIENT_FUNDS'
  | 'ENDED'

/** A payment that is not signed yet. Confirming takes the id and the digest, so that what was shown is what is signed. */
export type PaymentPlanView = { planId: string; digest: string; review: PaymentReview }

export type PaymentResult = {
  txid: string
  /** `unknown` when the server did not answer: it may have the transaction, and will get it again. */
  outcome: 'sent' | 'unknown'
}

/** Something in a transaction that a person should know before approving. Indexes count from 0. */
export type Warning =
  /** Own inputs of which no index has said what sits on them. Needs a second confirmation. */
  | { kind: 'unchecked-coins'; inputs: number[]; why: UncheckedReason }
  /** Own inputs that the person locked. */
  | { kind: 'locked-coins'; inputs: number[] }
  /** More sats go along with an asset than its postage needs. Needs a second confirmation. */
  | { kind: 'large-postage'; sats: string }
  /** Inscriptions that the wallet could not fully check itself: what or where they are is the server's word. */
  | { kind: 'unproven-inscriptions'; ids: string[] }
  /**
   * The fee is more than 10 % and 10,000 sats, or 5 times the fastest estimate or what the last blocks were paid (both in
   * sat/vB). Needs a second confirmation.
   */
  | { kind: 'high-fee'; percent: number | null; fastest: number | null; recent: number | null }
  | { kind: 'low-fee'; minimum: number }
  | { kind: 'own-address' }
  /** A merge spends coins of so many addresses, and shows whoever reads the chain that they are one person's. */
  | { kind: 'joins-addresses'; count: number }
  /** Own inputs that the server has in no block. */
  | { kind: 'spends-unconfirmed'; inputs: number[] }
  /** The recipient begins and ends like a known address but is another one (address poisoning). Needs a second confirmation. */
  | { kind: 'looks-like'; to: string; known: string; name: GivenName | null }
  /** The recipient is known only from a tiny payment to this account that nobody asked for. */
  | { kind: 'from-dust'; to: string }
  /** A payment of the same amount to the same recipient, of any account, was sent at that time (milliseconds since 1970) and was in no block when the wallet last looked. */
  | { kind: 'paid-already'; to: string; sats: string; at: number }
  /** A name (BIP-353) leads to another address than when the account paid it last; that may be as its owner wants it. */
  | { kind: 'name-moved'; paymentName: string; before: string }
  /**
   * Others can change the transaction after it is signed. `worst` is the least that this wallet can gain in sats (negative:
   * pays), `proposed` what it gains in the transaction as it stands. Needs a second confirmation when `worst` is less.
   */
  | { kind: 'open-signature'; worst: string; proposed: string }
  /**
   * Inputs whose sighash does not cover the whole transaction, where only the PSBT asks for it and not the site's request.
   * Needs a second confirmation.
   */
  | { kind: 'unasked-sighash'; inputs: number[] }
  /**
   * Transactions of a batch that only pay while others of it pay this wallet: they can be broadcast without the others.
   * `worst` is the least that this wallet gains then. Needs a second confirmation.
   */
  | { kind: 'one-sided-items'; items: number[]; worst: string }
  /** A signature that lets others choose all outputs; only with the expert setting. Needs a second confirmation. */
  | { kind: 'blank-signature' }
  /** Sats in outputs that nobody can ever spend. Needs a second confirmation. */
  | { kind: 'burned-sats'; sats: string }
  /**
   * Inputs to sign that do not count as this wallet's although its key is part of their scripts, such as multisig; `sats`
   * is what they hold together.
   */
  | { kind: 'shared-inputs'; inputs: number[]; sats: string }
  /** Inputs that carry a wrong signature. */
  | { kind: 'bad-signature'; inputs: number[] }
  /** Inputs that are not signed here and whose amounts only the PSBT states. */
  | { kind: 'claimed-amounts'; inputs: number[] }
  /** Outputs whose scripts have no address. */
  | { kind: 'unknown-outputs'; outputs: number[] }
  /** Outputs below the dust limit: nodes do not relay the transaction. */
  | { kind: 'dust-outputs'; outputs: number[] }
  /** The runestone is malformed: it burns every rune on the inputs, and mints and etches nothing that can be had. */
  | { kind: 'cenotaph'; flaw: RunestoneFlaw }

export type ReviewedInput = {
  outpoint: string
  address: string | null
  /** Null when the amount is not known. */
  sats: string | null
  own: boolean
}

export type ReviewedOutput = {
  address: string | null
  /** Hex of the scriptPubKey, for outputs without an address. */
  script: string
  sats: string
  own: boolean
}

/**
 * Who is paid. `address` is what was asked for; of a silent payment address (BIP-352) `output` is the address that it becomes in
 * this transaction, and is absent for any other.
 */
export type ReviewedRecipient = {
  address: string
  sats: string
  name: GivenName | null
  /** `user@domain`, where the person named that and DNSSEC proved that it leads to the address. */
  paymentName?: string
  output?: string
  /** Absent for an address that is known: paid before, a contact's, or own. */
  paidBefore?: PaidBefore
}

/** `never` as far as the wallet knows; `claimed` where only a server's history says that it was paid. */
export type PaidBefore = 'never' | 'claimed'

/** A payment of this wallet: for a site, from our own pages, or a bump of an earlier one. */
export type PaymentReview = {
  kind: 'payment'
  /**
   * `transfer` moves assets, `burn` destroys one, `split` gives each inscription of a coin its own output, `merge` makes one coin of many,
   * `prepare` makes small coins for a site; a bump changes an earlier payment.
   */
  purpose: 'send' | 'transfer' | 'burn' | 'split' | 'merge' | 'prepare' | BumpKind
  /** The transaction that this one replaces, or pays for as its child, with its fee; null for none. */
  previous: { txid: string; fee: string | null } | null
  /** In the order of the outputs; the name is from the address book or of an own account. */
  recipients: ReviewedRecipient[]
  /** Text of the OP_RETURN output; null for none. */
  memo: string | null
  /** Sum of what goes to the recipients. */
  sats: string
  fee: string
  /** sat/vB of the transaction once signed; for a child, of the two together. */
  feeRate: number
  /** What the last blocks were paid, in sat/vB; null where the wallet could not check. */
  recentFeeRate: number | null
  vsize: number
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  /** What sits on the inputs and where it goes. In a transfer, what was asked for comes first, in the order asked. */
  assets: AssetMoveView[]
  /** How many of `assets` were asked for; the others only share a coin with them. */
  asked: number
  /** What it says about runes; null where it says nothing. */
  runestone: RunestoneView | null
  /** Spendable sats of the account after this, change included. */
  balanceAfter: string
  warnings: Warning[]
}

export type CoinView = {
  outpoint: string
  sats: string
  /** Null while unconfirmed. */
  height: number | null
  /** Null when payments may spend it. */
  held: HeldReason | null
  /** What sits on it. */
  assets: AssetView[]
  /** Why that is not known; null when it is. */
  unchecked: UncheckedReason | null
  /** What the person decided about this coin. An unlocked coin is held again when something else appears on it. */
  choice: 'locked' | 'unlocked' | null
  /** The rare sats that an index knows it to hold. */
  rareSats: RareSatView[]
  /** Whether it may be merged with others: confirmed, nothing on it, and nothing decided about it. */
  mergeable: boolean
  /** Note of the transaction that created it; empty for none. */
  label: string
}

/** `address` is an address, or what leads to one at each payment: a name (BIP-353), as `user@domain` in lower case. */
export type Contact = { id: string; name: string; address: string }

/** sat/vB. */
export type FeeRatesView = { fastest: number; halfHour: number; hour: number; minimum: number }

/** What a name leads to (BIP-353), proven by DNSSEC; `name` is `user@domain`. */
export type NamedAddressView = { name: string; address: string }

/**
 * Why a name cannot be paid; `data.nameProblem` of the error. Besides those of the DNS (`missing` to `endless`):
 * - `not-a-name`, `no-server`: nobody was asked
 * - `none`, `several`, `not-text`, `broken`: there is not one good payment link
 * - `unpayable`: the link has no address of this network
 * - `superseded`: the server sends an older answer than before
 */
export type NameProblem =
  | 'missing'
  | 'unsigned'
  | 'weak'
  | 'expired'
  | 'forged'
  | 'wildcard'
  | 'endless'
  | 'not-a-name'
  | 'no-server'
  | 'none'
  | 'several'
  | 'not-text'
  | 'broken'
  | 'unpayable'
  | 'superseded'
