import type { MultisigScript } from '../../bitcoin/multisig-type.ts'
import type { CosignerView } from './account-views.ts'
import type { PaymentResult, PaymentReview } from './payment-views.ts'

/** How far a transaction is on its way round the signers of an account. */
export type CosignersView = {
  /** How many signers must sign, and have signed. */
  required: number
  signed: number
  /** In the order of the descriptor; `isOwn` where this wallet's phrase has the key. */
  signers: (CosignerView & { hasSigned: boolean; isOwn: boolean })[]
}

/** A payment of an account of several signers on its way round them. */
export type CosigningView = CosignersView & {
  planId: string
  digest: string
  review: PaymentReview
  /** Hex of version 0, with all that each signer needs to know and the signatures so far. */
  psbt: string
}

/** The same in a list. */
export type CosigningEntry = {
  planId: string
  digest: string
  /** When it was worked out, and the sats that go to the recipients. */
  at: number
  sats: string
  label: string
  required: number
  signed: number
}

/** The part of the wire of our own pages that is about payments of several signers. */
export type CosigningMethods = {
  /** This wallet's public key to be one of several signers with (BIP-48), with its origin. Throws NO_PHRASE. */
  getCosignerKey(params: { script: MultisigScript; phraseId?: string }): string
  /**
   * A plan of the account in use, which several signers share, on its way round them: from then on it is kept until it is sent or
   * dropped, over restarts too. Throws PLAN_OUTDATED, and TOO_MANY_PAYMENTS while as many as are kept have signatures.
   */
  getCosigning(params: { planId: string; digest: string }): CosigningView
  /**
   * Adds the signatures of a PSBT that came back (hex; signed transactions too), each of which is verified. From the first one on
   * its coins are reserved. Throws -32602 with `data.problem` where it is not what was sent, and PLAN_OUTDATED.
   */
  addCosignature(params: { planId: string; digest: string; returned: string }): CosigningView
  /** Adds the signatures of this wallet's own keys among them, as {@link addCosignature} does. */
  signCosigning(params: { planId: string; digest: string }): CosigningView
  /** Broadcasts it, once as many have signed as must. */
  sendCosigned(params: { planId: string; digest: string }): PaymentResult
  /** Those of the account in use, the newest first. */
  listCosignings(params: null): CosigningEntry[]
  /** Forgets one. Signatures that others keep stay good until its coins are spent. */
  dropCosigning(params: { planId: string }): null
}
