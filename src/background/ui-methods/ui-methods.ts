import type { AddressType } from '../../bitcoin/address.ts'
import type { MessageType } from '../../bitcoin/message.ts'
import type { Network } from '../../bitcoin/network.ts'

/**
 * What our own pages may ask of the background: one entry a method, parameters in, result out.
 * The wire is JSON: sats are decimal strings, times are milliseconds since 1970.
 */
export type UiMethods = {
  /** Everything that decides which screen is shown. Never asks a server. */
  getState(params: null): WalletState
  /** Twelve or twenty-four fresh words; nothing is stored. */
  generateMnemonic(params: { words: 12 | 24 }): { words: string[] }
  /** Whether these words are a BIP-39 phrase, and if not, why. */
  checkMnemonic(params: { mnemonic: string }): MnemonicCheck
  /** Seals the phrase under the password and unlocks. Fails when a wallet is there already. */
  createVault(params: { mnemonic: string; passphrase: string; password: string }): null
  unlock(params: { password: string }): UnlockResult
  lock(params: null): null
  /** Tells that the person is there, so that auto-lock starts anew. */
  touch(params: null): null
  selectAccount(params: { accountId: string }): null
  selectNetwork(params: { network: Network }): null
  /** The Esplora address that a network is read from; an empty string restores the default. */
  setServer(params: { network: Network; esploraUrl: string }): null
  /** Balance and this session's activity of the selected account; asks the server. */
  getOverview(params: null): Overview
  /** The approval to show now, or null. A window that calls this becomes the approval window. */
  getApproval(params: null): ApprovalView | null
  /** Approves or rejects; `digest` proves that what was approved is what was shown. */
  decide(params: { key: string; decision: 'approve' | 'reject'; digest: string }): null
  /** Brings the approval window to the front, for the notice in the toolbar popup. */
  showApprovals(params: null): null
}

export type UiMethodName = keyof UiMethods

export type WalletState = {
  vault: 'none' | 'locked' | 'unlocked'
  /** Milliseconds until another password may be tried; 0 when at once. */
  unlockDelayMs: number
  network: Network
  /** Esplora URL of the network in use, and whether the person chose it. */
  server: { esploraUrl: string; custom: boolean }
  /** All accounts on the network in use; empty while locked. */
  accounts: AccountView[]
  /** Id of the account in use; null while locked. */
  accountId: string | null
  pendingApprovals: number
}

export type AccountView = {
  id: string
  name: string
  addressType: AddressType
  address: string
  publicKey: string
  derivationPath: string
}

export type MnemonicCheck =
  | { valid: true }
  | {
      valid: false
      problem: 'WORD_COUNT' | 'UNKNOWN_WORD' | 'CHECKSUM'
      unknownWords: string[]
      wordCount: number
    }

export type UnlockResult =
  | { unlocked: true }
  | { unlocked: false; reason: 'WRONG_PASSWORD' | 'TOO_SOON' | 'DAMAGED'; retryAfterMs: number }

export type Overview = {
  /** Null with `problem` when the server does not answer. */
  balance: { confirmed: string; unconfirmed: string } | null
  problem: string | null
  activity: ActivityEntry[]
}

/** A transaction that this wallet sent since the browser started. */
export type ActivityEntry = {
  txid: string
  network: Network
  accountId: string
  kind: 'sent' | 'pushed'
  /** What left the account for others, in sats, the fee not counted; null when not known. */
  sats: string | null
  to: string | null
  fee: string | null
  /** The site that asked. */
  origin: string | null
  at: number
  status: 'sending' | 'pending' | 'confirmed' | 'failed'
}

export type ApprovalView = {
  key: string
  digest: string
  origin: string
  /** Place in the queue, from 1, and its length. */
  position: number
  total: number
  network: Network
  /** The account that is asked about; null for an unlock. */
  account: AccountView | null
  review: Review
}

/** What the person decides on; the digest covers all of it. */
export type Review =
  | ConnectReview
  | SignMessageReview
  | SendBitcoinReview
  | PushTxReview
  | UnlockReview

export type ConnectReview = { kind: 'connect' }

/** The wallet is locked; once it is open the request goes on by itself. `method` is what waits. */
export type UnlockReview = { kind: 'unlock'; method: string }

export type SignMessageReview = {
  kind: 'sign-message'
  message: string
  type: MessageType
}

/** Something in a transaction that a person should know before approving. */
export type Warning =
  /** No index has said what sits on the coins that are spent. */
  | { kind: 'unchecked-coins' }
  /** The fee is more than 10 % and 10,000 sats, or 5 times the fastest estimate. Needs a second confirmation. */
  | { kind: 'high-fee'; percent: number | null; fastest: number | null }
  | { kind: 'low-fee'; minimum: number }
  | { kind: 'own-address' }
  | { kind: 'spends-unconfirmed' }

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

export type SendBitcoinReview = {
  kind: 'send-bitcoin'
  to: string
  sats: string
  fee: string
  /** sat/vB of the transaction as it will be signed. */
  feeRate: number
  vsize: number
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  /** Spendable sats of the account after this, change included. */
  balanceAfter: string
  warnings: Warning[]
}

/** A signed transaction that a site wants broadcast and that spends coins of this wallet. */
export type PushTxReview = {
  kind: 'push-tx'
  txid: string
  /** What the account pays in all: its inputs less its outputs. */
  netCost: string
  /** Null while an input's amount is unknown. */
  fee: string | null
  feeRate: number | null
  vsize: number
  inputs: ReviewedInput[]
  outputs: ReviewedOutput[]
  warnings: Warning[]
}
