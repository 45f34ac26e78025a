import type { Certainty } from '../../bitcoin/psbt/binding.ts'
import type { GivenName } from './account-views.ts'
import type { AssetMoveView } from './asset-views.ts'
import type { CosignersView } from './cosigning-views.ts'
import type { SignOnDeviceReview } from './device-views.ts'
import type {
  PaidBefore,
  PaymentResult,
  ReviewedInput,
  ReviewedOutput,
  Warning,
} from './payment-views.ts'
import type { RunestoneView } from './runestone-views.ts'

/** `shared` is a script that our key is part of, such as multisig. */
export type OwnerView = 'own' | 'shared' | 'foreign' | 'unknown'

/** The sighash type of a signature; `-anyone` is ANYONECANPAY. The last three need the expert setting. */
export type SighashView = 'all' | 'all-anyone' | 'single-anyone' | 'single' | 'none' | 'none-anyone'

export type PsbtInputView = ReviewedInput & {
  owner: OwnerView
  /** Name of the own account; null for others. */
  accountName: GivenName | null
  /**
   * How the amount is known: `proven` by the previous transaction, `committed` to by our signature, `claimed` by the PSBT
   * alone; null when unknown.
   */
  proof: 'proven' | 'committed' | 'claimed' | null
  /** `to-sign` is signed on approval; `signed` and `final` are so already; `open` needs another signer. */
  state: 'to-sign' | 'signed' | 'final' | 'open'
  /** Sighash type of our signature, to be given or given before; null for inputs that are not ours to sign. */
  sighash: SighashView | null
  /** A signature of ours stays valid without this input: others can replace it. */
  open: boolean
  /** Stands for an input that somebody else will add (its txid is zero). */
  placeholder: boolean
  /** Carries a wrong signature: the transaction is not valid as it is. */
  badSignature: boolean
}

export type PsbtOutputView = ReviewedOutput & {
  kind: 'own' | 'foreign' | 'data' | 'unknown'
  accountName: GivenName | null
  /** Name of the address in the address book; null for none. */
  name: GivenName | null
  /** Absent for an address that is known: paid before, a contact's, or own. */
  paidBefore?: PaidBefore
  /** A signature of ours stays valid without this output: others can change it. */
  open: boolean
}

export type PsbtView = {
  /** Null where it is not certain. */
  txid: string | null
  inputs: PsbtInputView[]
  outputs: PsbtOutputView[]
  /** What each own account gains (negative: pays) in the transaction as it stands; the account that is asked comes first. */
  nets: { accountId: string; accountName: GivenName; sats: string }[]
  /** The same for all own accounts together. */
  net: { sats: string; certainty: Certainty }
  /** The least that they can gain from these signatures, whatever others do. */
  worst: string
  /** Null when an amount is unknown. */
  fee: { sats: string; feeRate: number; certainty: Certainty } | null
  /** The least that the fee can be, for when it is not known; null where there is no such bound. */
  leastFee: string | null
  /** What the last blocks were paid, in sat/vB; null where the wallet could not check. */
  recentFeeRate: number | null
  vsize: number
  vsizeExact: boolean
  /** Whether it can be broadcast once signed, or others must sign first. */
  after: 'complete' | 'needs-others'
  /**
   * nLockTime: the block height, or from 500,000,000 on the seconds since 1970, before which it is not valid; null for
   * none.
   */
  locktime: number | null
  /** Where the known assets on the inputs go; own ones first. */
  assets: AssetMoveView[]
  /** What it says about runes; null where it says nothing. */
  runestone: RunestoneView | null
  warnings: Warning[]
}

/** One approval for one PSBT or a batch: all are signed, or none. */
export type SignPsbtReview = {
  kind: 'sign-psbt'
  /** At least one. */
  items: PsbtView[]
  /** The wallet itself sends all of them once they are signed. */
  broadcast: boolean
  /**
   * Of all items together. `worst` is when only the items that cost something are broadcast; where none does, only the one
   * that brings least.
   */
  total: { net: string; worst: string; fee: string | null }
  /** Pairs of items (from 0) that spend the same coin: only one of the two can be mined. */
  conflicts: [number, number][]
  /** Warnings about the items together. */
  warnings: Warning[]
}

/** The PSBT that the person works on in our own pages. Known without a server. */
export type LoadedPsbtView = {
  id: string
  /** Hex. */
  psbt: string
  version: 0 | 2
  /** The txid of its transaction without any scriptSig: final where all inputs are segwit. */
  unsignedTxid: string
  /** How many there are, and how many of the inputs are final. */
  inputs: number
  outputs: number
  final: number
  /** Whether the wallet has signed it since it was loaded. */
  signed: boolean
}

/** What signing it with the account in use does; with nothing to sign it still tells what its transaction does. */
export type LoadedPsbtReview = {
  id: string
  digest: string
  review: SignPsbtReview
  /** Inputs that approving signs, and those that a signature of the account was given for before. */
  toSign: number
  given: number
  /** Whether every input is signed: it can be finalized and broadcast. */
  ready: boolean
  /** How far it is round the signers who share the account in use; null for other accounts, and where none of its coins waits. */
  cosigners: CosignersView | null
}

/** What broadcasting its transaction does. */
export type LoadedPsbtPush = { id: string; digest: string; review: PushedTransaction }

/** What a site says an item of a batch is for. It is shown as a label and not checked. */
export type BatchAbout = { kind: 'brc-20' | 'nft'; inscription: string | null } | null

/** A signed transaction that is to be broadcast. */
export type PushedTransaction = {
  txid: string
  /** What this wallet pays in all: its inputs less its outputs, in sats. */
  netCost: string
  /** Null while an input's amount is unknown. */
  fee: string | null
  feeRate: number | null
  /** As in {@link PsbtView}. */
  recentFeeRate: number | null
  vsize: number
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  /** Where the known assets on the inputs go; own ones first. */
  assets: AssetMoveView[]
  /** What it says about runes; null where it says nothing. */
  runestone: RunestoneView | null
  warnings: Warning[]
}

/** Signed transactions that a site wants broadcast, in this order. */
export type SendBatchReview = {
  kind: 'send-batch'
  items: (PushedTransaction & {
    itemId: string
    about: BatchAbout
    /** It was shown in full when it was signed, or costs this wallet nothing. */
    clean: boolean
  })[]
  total: { netCost: string; fee: string | null }
}

/** PSBTs that the person brings. */
export type PsbtMethods = {
  /** Takes a PSBT in hex or base64 under work, instead of the one before. Throws -32602 that names the place in it. */
  loadPsbt(params: { psbt: string }): LoadedPsbtView
  /** The one under work; null for none. Asks no server. */
  getLoadedPsbt(params: null): LoadedPsbtView | null
  closePsbt(params: null): null
  /** Finds out what signing it does; nothing is signed. */
  reviewPsbt(params: { id: string }): LoadedPsbtReview
  /** What the device that has the account's key is to sign of it as it was shown. */
  getPsbtTask(params: { id: string; digest: string }): { task: SignOnDeviceReview }
  /** Signs it as it was shown. The same digest again signs it once. `returned` is as of `confirmPayment`. */
  signPsbt(params: { id: string; digest: string; returned?: string }): LoadedPsbtView
  /** Adds what another PSBT of the same transaction holds. */
  combinePsbt(params: { id: string; psbt: string }): LoadedPsbtView
  /** Gives all inputs their final scripts, which takes signatures of all signers. */
  finalizePsbt(params: { id: string }): LoadedPsbtView
  /** Finds out what broadcasting it does; nothing is sent. */
  reviewPsbtPush(params: { id: string }): LoadedPsbtPush
  /** Broadcasts it as it was shown; the same digest again is the same transaction. */
  pushPsbt(params: { id: string; digest: string }): PaymentResult
}
