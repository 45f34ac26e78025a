import type { MessageType } from '../../bitcoin/messages/message.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { AccountView, PhraseView, SigningAccountView } from './account-views.ts'
import type { Brc20AmountReview } from './brc20-views.ts'
import type { SignOnDeviceReview } from './device-views.ts'
import type { InscribeReview } from './inscribe-views.ts'
import type { RuneMintReview } from './mint-views.ts'
import type { PaymentReview } from './payment-views.ts'
import type { PushedTransaction, SendBatchReview, SignPsbtReview } from './psbt-views.ts'
import type { GrantTerm } from './settings-views.ts'

export type ApprovalView = {
  key: string
  digest: string
  origin: string
  /** Place in the queue, from 1, and its length. */
  position: number
  total: number
  network: Network
  /** The account that is asked about; null for an unlock, and where one is to be chosen. */
  account: SigningAccountView | null
  /** Only where one is to be chosen. */
  choice?: AccountChoice
  /** Whether the person has said no to this site within the last minute. */
  wasDeclined: boolean
  review: Review
  /** Only for a site without a connection; `looksLike` is the known site that its name could be taken for. */
  unfamiliar?: { looksLike: string | null }
}

/** The accounts of the network in use that sites can be connected to, without hidden ones, as they are now; `inUse` is null where there is no account at all. */
export type AccountChoice = {
  inUse: AccountView | null
  accounts: SigningAccountView[]
  phrases: PhraseView[]
}

/** The account that the person chose, with the addresses that were shown of it, and for how long the site may see it. As JSON it is what is filled in. */
export type ChosenAccount = {
  accountId: string
  address: string
  ordinals: string | null
  term: GrantTerm
}

/** What the person decides on; the digest covers all of it. */
export type Review =
  | ConnectReview
  | ChooseAccountReview
  | SwitchNetworkReview
  | SignMessageReview
  | DeriveContextHashReview
  | SignMessagesReview
  | PaymentReview
  | PushTxReview
  | SignPsbtReview
  | SendBatchReview
  | InscribeReview
  | RuneMintReview
  | Brc20AmountReview
  | SignOnDeviceReview
  | UnlockReview
  | PreparingReview

export type ConnectReview = { kind: 'connect' }

/** A site asks to see the account in use, which is none that sites can be connected to: the person chooses another, which is in use then. */
export type ChooseAccountReview = { kind: 'choose-account' }

/** The whole wallet switches to another network, and the site gets this account there. */
export type SwitchNetworkReview = {
  kind: 'switch-network'
  network: Network
  account: SigningAccountView
}

/** What the request does is still being worked out: it can be rejected, and its question comes in this one's place. */
export type PreparingReview = { kind: 'preparing' }

/** The wallet is locked. Once it is unlocked the request goes on by itself; `method` is the one that waits. */
export type UnlockReview = { kind: 'unlock'; method: string }

export type SignMessageReview = { kind: 'sign-message' } & MessageView

/** `from` is the address that signs, where it is not the account's first. */
type MessageView = { message: string; type: MessageType; from?: string }

/** A site gets a secret that the wallet makes of its key, the name and the context (hex); neither is a proof of anything. */
export type DeriveContextHashReview = {
  kind: 'derive-context-hash'
  appName: string
  context: string
  /** Whether the site's address has the beginning of the name in it. */
  isNameInHost: boolean
}

/** Several texts, of which all are signed or none. */
export type SignMessagesReview = {
  kind: 'sign-messages'
  messages: MessageView[]
}

/** A signed transaction that a site wants broadcast and that spends coins of this wallet. */
export type PushTxReview = { kind: 'push-tx' } & PushedTransaction
