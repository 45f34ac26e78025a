import type { AddressType } from '../../bitcoin/address.ts'
import type { Network } from '../../bitcoin/network.ts'
import type {
  AccountView,
  MnemonicCheck,
  PasswordResult,
  ScanLine,
  ScanResult,
  UnlockResult,
  WalletOrigin,
  WifCheck,
} from '../views/account-views.ts'
import type { ActivityDetails, ActivityPage, Overview } from '../views/activity-views.ts'
import type { ApprovalView } from '../views/approval-views.ts'
import type {
  AtomicalDetail,
  AtomicalsPage,
  ContentView,
  InscriptionDetail,
  InscriptionPage,
} from '../views/asset-views.ts'
import type { Brc20Overview, Brc20TokenView } from '../views/brc20-views.ts'
import type { InscribeDraft, InscribePlanView, JobView } from '../views/inscribe-views.ts'
import type {
  BumpKind,
  BumpOptions,
  CoinView,
  Contact,
  FeeRatesView,
  PaymentDraft,
  PaymentPlanView,
  PaymentResult,
} from '../views/payment-views.ts'
import type {
  OkxAliasView,
  ServerCheck,
  ServerKind,
  ServerState,
  ServerView,
  Settings,
  SiteView,
} from '../views/settings-views.ts'

/**
 * What our own pages may ask of the background: one entry a method, parameters in, result out.
 * The wire is JSON: sats are decimal strings, times are milliseconds since 1970.
 */
export type UiMethods = {
  /** Everything that decides which screen is shown. Never asks a server. */
  getState(params: null): WalletState

  // The wallet and its password
  /** Twelve or twenty-four fresh words; nothing is stored. */
  generateMnemonic(params: { words: 12 | 24 }): { words: string[] }
  /** Whether these words are a BIP-39 phrase, and if not, why. */
  checkMnemonic(params: { mnemonic: string }): MnemonicCheck
  /** Whether this is a private key of the network, and which addresses it has. */
  checkWif(params: { wif: string; network: Network }): WifCheck
  /** Seals the phrase or key under the password and unlocks. Fails when a wallet is there already. */
  createVault(params: { origin: WalletOrigin; password: string }): null
  unlock(params: { password: string }): UnlockResult
  lock(params: null): null
  /** Tells that the person is there, so that auto-lock starts anew. */
  touch(params: null): null
  changePassword(params: { current: string; next: string }): PasswordResult<object>
  /** The recovery phrase; null words for a wallet that has none. */
  revealPhrase(params: {
    password: string
  }): PasswordResult<{ words: string[] | null; passphrase: string }>
  /** One account's private key in wallet import format, for the network in use. */
  revealKey(params: { password: string; accountId: string }): PasswordResult<{ wif: string }>
  /** Erases everything that the wallet stored on this computer. `confirmation` must be the word `erase`. */
  resetWallet(params: { confirmation: string }): null

  // Accounts
  selectAccount(params: { accountId: string }): null
  /** The next account of this type from the recovery phrase; an empty name is chosen by the wallet. */
  addAccount(params: { addressType: AddressType; name: string }): AccountView
  importWif(params: { wif: string; addressType: AddressType; name: string }): AccountView
  watchAddress(params: { address: string; name: string }): AccountView
  renameAccount(params: { accountId: string; name: string }): null
  setAccountHidden(params: { accountId: string; hidden: boolean }): null
  /** Forgets an account, its grants and its labels. The last one that can sign stays. */
  removeAccount(params: { accountId: string }): null
  /** Asks the server which of `count` addresses from `from` on were ever used; nothing is stored. */
  scanAddresses(params: {
    addressType: AddressType
    line: ScanLine
    from: number
    count: number
  }): ScanResult
  /** Adds accounts that a scan found; ones that are there already are left as they are. */
  addScanned(params: {
    found: { addressType: AddressType; line: ScanLine; index: number }[]
  }): AccountView[]

  // Network and servers
  selectNetwork(params: { network: Network }): null
  getServers(params: { network: Network }): ServerView[]
  /** Asks a server whether it serves this network; stores nothing. */
  checkServer(params: {
    network: Network
    kind: ServerKind
    url: string
    key?: string
  }): ServerCheck
  /** Stores an address, and for `brc20` the key that the server wants; an empty address restores the default. One on another network is refused. */
  setServer(params: { network: Network; kind: ServerKind; url: string; key?: string }): null
  /** How the servers of the network in use are doing, asked anew. */
  getServerStates(params: null): ServerState[]

  // Home
  /** Balance and newest activity of the selected account; asks the server. `retry` is for the person's own wish: it asks one that is given a rest, too. */
  getOverview(params: { retry: boolean } | null): Overview
  getActivity(params: { offset: number; limit: number }): ActivityPage
  getActivityDetails(params: { txid: string }): ActivityDetails
  /** The person's own note on a transaction; empty removes it. */
  setLabel(params: { txid: string; label: string }): null
  /** Gives the coins of a transaction free that is signed and kept back. Throws -32602 when it is not. */
  dropUnsent(params: { txid: string }): null
  /** All activity of the selected account as CSV (RFC 4180). */
  exportActivity(params: null): { csv: string; complete: boolean }
  /** Coins of the selected account, largest first. */
  getCoins(params: null): CoinView[]
  /**
   * Null leaves the coin to the wallet's own rules again. An unlock stands for what was `shown` of the coin, and without
   * it for a coin of unknown content.
   */
  setCoinChoice(params: {
    outpoint: string
    choice: 'locked' | 'unlocked' | null
    shown?: Pick<CoinView, 'assets' | 'unchecked'>
  }): null

  // Inscriptions
  /** Of the selected account; asks the servers. */
  getInscriptions(params: { offset: number; limit: number }): InscriptionPage
  /** One of them, checked against the chain as far as that can be; -32602 for one that is not there. */
  getInscription(params: { id: string }): InscriptionDetail
  /**
   * What can be shown of it, or of an Atomical with `-Atomicals` behind its id. Small ones come whole; `preview` is enough for
   * a tile.
   */
  getInscriptionContent(params: { id: string; preview: boolean }): ContentView
  /**
   * Works out a transfer of inscriptions and Atomicals (with `-Atomicals` behind their ids), each coin once; nothing is signed
   * or reserved.
   */
  planTransfer(params: {
    ids: string[]
    to: string
    feeRate: number
    label: string
  }): PaymentPlanView
  /** Works out a transaction that gives every inscription of a coin an output of its own with `postage` sats at least, and the rest back. */
  planSplit(params: { outpoint: string; postage: number; feeRate: number }): PaymentPlanView

  /** Forgets what was ever said to be on coins of the selected account: the index of today is believed, as far as the chain does not contradict it. */
  forgetSeenAssets(params: null): null

  // Atomicals
  /** Of the selected account; asks the servers. `offset` and `limit` are of the NFTs. */
  getAtomicals(params: { offset: number; limit: number }): AtomicalsPage
  /** One of its NFTs; -32602 for one that is not there. */
  getAtomical(params: { id: string }): AtomicalDetail
  /** Works out a payment of exactly `amount` units (decimal) of an ARC-20 token; nothing is signed or reserved. */
  planTokenTransfer(params: {
    id: string
    amount: string
    to: string
    feeRate: number
    label: string
  }): PaymentPlanView

  // Inscribing
  /** Works out a commit and its reveals; nothing is signed or reserved. */
  planInscribe(params: InscribeDraft): InscribePlanView
  /** Pays more for what no block has of a job. */
  planJobBump(params: { jobId: string; feeRate: number }): InscribePlanView
  /** Takes back what is not revealed. */
  planJobRefund(params: { jobId: string; feeRate: number }): InscribePlanView
  /** Signs and stores a plan as it was shown, then hands it over. Again with the same plan: the same job. */
  confirmInscribe(params: { planId: string; digest: string }): { jobId: string }
  /** Of the selected account, newest first. Never asks a server. */
  getJobs(params: null): JobView[]
  /** One of them, asked anew. */
  getJob(params: { jobId: string }): JobView
  /** What can be shown of an item (from 0). */
  getJobContent(params: { jobId: string; item: number }): ContentView
  /** Hands over what is missing, now. */
  resumeJob(params: { jobId: string }): JobView
  /** Forgets a job whose commit never reached the network. */
  discardJob(params: { jobId: string }): null

  // BRC-20
  getBrc20(params: null): Brc20Overview
  getBrc20Token(params: { tick: string }): Brc20TokenView
  /** Keeps a ticker in the list, or drops it. */
  followBrc20(params: { tick: string; followed: boolean }): null

  // Payments
  getFeeRates(params: null): FeeRatesView
  /** Works out a payment; nothing is signed or reserved. */
  planPayment(params: PaymentDraft): PaymentPlanView
  getBumpOptions(params: { txid: string }): BumpOptions
  planBump(params: { txid: string; kind: BumpKind; feeRate: number }): PaymentPlanView
  /** Signs and sends a plan as it was shown. Again with the same plan: the same transaction. */
  confirmPayment(params: { planId: string; digest: string }): PaymentResult
  getContacts(params: null): Contact[]
  /** Adds, or with the id of one that exists replaces. */
  saveContact(params: { id: string | null; name: string; address: string }): Contact
  removeContact(params: { id: string }): null

  // Sites and settings
  getSites(params: null): SiteView[]
  /** One grant, or with null all of the site. */
  revokeSite(params: {
    origin: string
    grant: { accountId: string; network: Network } | null
  }): null
  changeSettings(params: Partial<Settings>): Settings
  getOkxAlias(params: null): OkxAliasView
  /** For every site, or for one. */
  setOkxAlias(params: { everywhere: boolean } | { origin: string; on: boolean }): OkxAliasView

  // Approvals
  /** The approval to show now, or null. A window that calls this becomes the approval window. */
  getApproval(params: null): ApprovalView | null
  /** Approves or rejects; `digest` proves that what was approved is what was shown. `input` is what the person was asked to fill in. */
  decide(params: {
    key: string
    decision: 'approve' | 'reject'
    digest: string
    input?: string
  }): null
  /** Brings the approval window to the front, for the notice in the toolbar popup. */
  showApprovals(params: null): null
}

export type UiMethodName = keyof UiMethods

export type WalletState = {
  vault: 'none' | 'locked' | 'unlocked' | 'damaged'
  /** Milliseconds until another password may be tried; 0 when at once. */
  unlockDelayMs: number
  network: Network
  /** Chain server of the network in use, and whether the person chose it. */
  server: { url: string; custom: boolean }
  /** All accounts of the network in use, hidden ones too; empty while locked. */
  accounts: AccountView[]
  /** Id of the account in use; null while locked. */
  accountId: string | null
  /** Whether the wallet has a recovery phrase; null while locked. */
  hasPhrase: boolean | null
  settings: Settings
  pendingApprovals: number
}
