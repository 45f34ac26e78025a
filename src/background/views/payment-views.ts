import type { AssetMoveView, AssetView, UncheckedReason } from './asset-views.ts'

/** A payment as a person writes it down; from the popup's form. */
export type PaymentDraft = {
  /** At least one; at most one of them takes `max`, all that the coins hold less the fee. */
  recipients: { to: string; sats: string | 'max' }[]
  /** Text of an OP_RETURN output and its place among the outputs. */
  memo: { text: string; position: number } | null
  /** sat/vB. */
  feeRate: number
  /** Exactly these outpoints are spent, and a coin of each payment that was refused or replaced by others before; null leaves the choice to the wallet. */
  coins: string[] | null
  /** The person's own note in the activity; empty for none. */
  label: string
}

/** What a bump does: replaces the transaction by one that pays more (RBF), spends its output (CPFP), or takes it back. */
export type BumpKind = 'speed-up' | 'child' | 'cancel'

/** Which bumps a transaction allows now, with the least fee rate (sat/vB) each; null with the reason where it cannot be done. */
export type BumpOptions = {
  [kind in BumpKind]:
    | { leastFeeRate: number; why: null }
    | { leastFeeRate: null; why: BumpObstacle }
}

export type BumpObstacle =
  | 'CONFIRMED'
  /** A later payment of this wallet spends its change: replacing it would undo that one. */
  | 'HAS_CHILDREN'
  /** Not all inputs are this wallet's. */
  | 'NOT_OURS'
  /** No output of it is this account's. */
  | 'NO_OWN_OUTPUT'
  /** Its outputs to this account are locked, or something sits on them, or may. */
  | 'COINS_HELD'
  | 'INSUFFICIENT_FUNDS'
  | 'ENDED'

/** A payment worked out and kept, not yet signed; confirming names both, so that what was shown is what is signed. */
export type PaymentPlanView = { planId: string; digest: string; review: PaymentReview }

export type PaymentResult = {
  txid: string
  /** `unknown` when the server did not answer: it may have arrived, and will be tried again. */
  outcome: 'sent' | 'unknown'
}

/** Something in a transaction that a person should know before approving. */
export type Warning =
  /** Own coins among the inputs (from 0) of which no index has said what sits on them. Needs a second confirmation. */
  | { kind: 'unchecked-coins'; inputs: number[]; why: UncheckedReason }
  /** Own coins among the inputs (from 0) that the person locked. */
  | { kind: 'locked-coins'; inputs: number[] }
  /** So many sats go along with what is moved, more than its postage needs. Needs a second confirmation. */
  | { kind: 'large-postage'; sats: string }
  /** Inscriptions of which the wallet could not check everything itself; what they are, or where, is the server's word. */
  | { kind: 'unproven-inscriptions'; ids: string[] }
  /** The fee is more than 10 % and 10,000 sats, or 5 times the fastest estimate or what the last blocks were paid (sat/vB). Needs a second confirmation. */
  | { kind: 'high-fee'; percent: number | null; fastest: number | null; recent: number | null }
  | { kind: 'low-fee'; minimum: number }
  | { kind: 'own-address' }
  | { kind: 'spends-unconfirmed' }
  /** The recipient begins and ends like an address that is known, and is another one. Needs a second confirmation. */
  | { kind: 'looks-like'; to: string; known: string; name: string | null }
  /** The recipient is known only from an unasked, tiny payment to this account. */
  | { kind: 'from-dust'; to: string }
  /** Others can change the transaction after it is signed; `worst` sats is the least that this wallet can end up with. Needs a second confirmation when it is less than what is drawn. */
  | { kind: 'open-signature'; worst: string; drawn: string }
  /** Inputs (from 0) signed with less than the whole transaction although only the PSBT asks for it, not the page beside it. Needs a second confirmation. */
  | { kind: 'unasked-sighash'; inputs: number[] }
  /** Transactions of a batch (from 0) that give something and bring nothing, while others of it bring something: they can be used alone. `worst` is the least that is left then. Needs a second confirmation. */
  | { kind: 'one-sided-items'; items: number[]; worst: string }
  /** A signature that lets others choose where everything goes; only with the expert switch. Needs a second confirmation. */
  | { kind: 'blank-signature' }
  /** So much goes to outputs that nobody can ever spend. Needs a second confirmation. */
  | { kind: 'burned-sats'; sats: string }
  /** Inputs (from 0) that this wallet signs and that are a script which its key is part of, and not its coins; `sats` is what they hold together. */
  | { kind: 'shared-inputs'; inputs: number[]; sats: string }
  /** Inputs (from 0) that carry a wrong signature. */
  | { kind: 'bad-signature'; inputs: number[] }
  /** Inputs (from 0), never ones that are signed, whose amounts nobody has proven. */
  | { kind: 'claimed-amounts'; inputs: number[] }
  /** Outputs (from 0) of scripts that have no address on any network of today. */
  | { kind: 'unknown-outputs'; outputs: number[] }
  /** Outputs (from 0) below the dust limit, which nodes do not relay. */
  | { kind: 'dust-outputs'; outputs: number[] }

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

/** A payment of this wallet: from a site, from the popup, or a bump of an earlier one. */
export type PaymentReview = {
  kind: 'payment'
  /** `send` for a payment, `transfer` of inscriptions, `split` of a coin between its inscriptions, `prepare` small coins that are kept back; else how it changes what was sent before. */
  purpose: 'send' | 'transfer' | 'split' | 'prepare' | BumpKind
  /** The transaction that this one replaces or lifts, with the fee that it pays. */
  previous: { txid: string; fee: string | null } | null
  /** In the order of the outputs; the name is the address book's or an own account's. */
  recipients: { address: string; sats: string; name: string | null }[]
  /** Text of the OP_RETURN output; null for none. */
  memo: string | null
  /** Sum of what goes to the recipients. */
  sats: string
  fee: string
  /** sat/vB of the transaction as it will be signed; of the two together for a child. */
  feeRate: number
  /** What the last blocks were paid, in sat/vB; null where the wallet could not check it. */
  recentFeeRate: number | null
  vsize: number
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  /** What sits on the inputs and where it lands. In a transfer those that were asked for come first, in the order asked. */
  assets: AssetMoveView[]
  /** How many of `assets` were asked for; the others only share a coin with them. */
  asked: number
  /** Spendable sats of the account after this, change included. */
  balanceAfter: string
  warnings: Warning[]
}

/** Why a coin is not spent by itself. */
export type HeldReason =
  /** A payment that is under way spends it. */
  | 'reserved'
  /** Somebody else's payment that is in no block yet. */
  | 'unconfirmed'
  /** An inscription sits on it. */
  | 'inscribed'
  /** Atomicals sit on it, and no inscription. */
  | 'atomical'
  /** Runes sit on it, and nothing else. */
  | 'runic'
  /** Nobody tells of Atomicals, and the person wants small coins held back then. */
  | 'small'
  /** Nobody could say what sits on it. */
  | 'unknown'
  /** The person locked it. */
  | 'locked'

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
  /** What the person decided about this coin, before any rule. An unlocked coin on which something else appears later is held again. */
  choice: 'locked' | 'unlocked' | null
  /** Note of the transaction that created it; empty for none. */
  label: string
}

export type Contact = { id: string; name: string; address: string }

/** sat/vB. */
export type FeeRatesView = { fastest: number; halfHour: number; hour: number; minimum: number }
