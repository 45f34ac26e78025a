import type { Network } from '../../bitcoin/network.ts'
import type { AccountMethods } from './account-methods.ts'
import type { AccountView, PasskeyView, PhraseView } from './account-views.ts'
import type {
  ActivityDetails,
  ActivityPage,
  ConfirmationProof,
  Overview,
  UnprovenPayment,
  UnsharedPayments,
} from './activity-views.ts'
import type { ApprovalHistoryMethods } from './approval-history-views.ts'
import type { ApprovalMethods } from './approval-methods.ts'
import type {
  AtomicalDetail,
  AtomicalsPage,
  ContentView,
  InscriptionChoice,
  InscriptionDetail,
  InscriptionGroup,
  InscriptionPage,
  RuneDetail,
  RunesPage,
} from './asset-views.ts'
import type { BackupMethods } from './backup-views.ts'
import type { Brc20Overview, Brc20TokenView } from './brc20-views.ts'
import type { CosigningMethods } from './cosigning-views.ts'
import type { SignOnDeviceReview } from './device-views.ts'
import type {
  CommitRefundDraft,
  CommitRefundView,
  EtchingDraft,
  InscribeDraft,
  InscribePlanView,
  InscribeReview,
  JobView,
} from './inscribe-views.ts'
import type { MessageMethods } from './message-views.ts'
import type { RuneMintDraft, RuneMintPlanView, RuneMintReview, RuneMintView } from './mint-views.ts'
import type {
  BumpKind,
  BumpOptions,
  CoinView,
  Contact,
  FeeRatesView,
  NamedAddressView,
  PaymentDraft,
  PaymentPlanView,
  PaymentResult,
  PaymentReview,
} from './payment-views.ts'
import type { PriceMethods } from './price-chart-views.ts'
import type { PsbtMethods } from './psbt-views.ts'
import type { ServerMethods } from './server-methods.ts'
import type {
  BlockedSiteView,
  ChangedRecordView,
  GrantTerm,
  NotificationChoices,
  NotificationsView,
  OkxAliasView,
  OneTimeNotices,
  Settings,
  SiteView,
} from './settings-views.ts'
import type { VaultMethods } from './vault-methods.ts'

/**
 * What our own pages may ask of the background: one entry a method, parameters in, result out. This folder holds the types of
 * that wire and no code. Pages import nothing else of the background, and it imports nothing of the background itself.
 * The wire is JSON: sats are decimal strings, bytes are hex, times are milliseconds since 1970.
 */
export type UiMethods = AccountMethods &
  VaultMethods &
  CosigningMethods &
  ApprovalMethods &
  ApprovalHistoryMethods &
  MessageMethods &
  ServerMethods &
  PriceMethods &
  PsbtMethods &
  BackupMethods & {
    /** Everything that decides which screen is shown. Asks no server. */
    getState(params: null): WalletState

    // Home
    /**
     * Balance and newest activity of the selected account; asks the server. `retry`, for when the person asks for it, also asks
     * a server that is paused after failures.
     */
    getOverview(params: { retry: boolean } | null): Overview
    getActivity(params: { offset: number; limit: number }): ActivityPage
    getActivityDetails(params: { txid: string }): ActivityDetails
    /** What is proven of a transaction that the server shows in a block; asks it for what is not proven yet. */
    getConfirmationProof(params: { txid: string }): ConfirmationProof
    /**
     * The same for the transactions that a review or an inscription rests on, in their order: a few are asked about;
     * null for the others.
     */
    getCoinProofs(params: { txids: string[] }): (ConfirmationProof | null)[]
    /** The newest payments to the account in use of which the server alone says that they are in a block. */
    getUnprovenPayments(params: null): UnprovenPayment[]
    /** Payments of the account in use that not every chain server has minutes after they were sent; looks for those that are due. */
    getUnsharedPayments(params: null): UnsharedPayments
    /**
     * Hands such a payment to the servers that lack it. Throws -32602 for any other, BROADCAST_REJECTED or BACKEND_UNAVAILABLE where none
     * of them takes it.
     */
    shareTransaction(params: { txid: string }): null
    /** The person's own note on a transaction; empty removes it. */
    setLabel(params: { txid: string; label: string }): null
    /** Gives up a transaction that is signed and withheld, so that its coins are free. Throws -32602 for any other. */
    dropUnsent(params: { txid: string }): null
    /** All activity of the selected account as CSV (RFC 4180). `unnamed` is what an account without a name is called, with `{number}`. */
    exportActivity(params: { unnamed: string }): { csv: string; complete: boolean }
    /** Coins of the selected account, largest first. */
    getCoins(params: null): CoinView[]
    /**
     * Locks or unlocks a coin; null leaves it to the wallet's rules. An unlock counts only for the assets that were `shown` on
     * the coin; without `shown`, for a coin of unknown content.
     */
    setCoinChoice(params: {
      outpoint: string
      choice: 'locked' | 'unlocked' | null
      shown?: Pick<CoinView, 'assets' | 'unchecked'> & Partial<Pick<CoinView, 'rareSats'>>
    }): null

    // Inscriptions
    /** Those of the selected account that are shown, or another group of them; asks the servers. */
    getInscriptions(params: {
      offset: number
      limit: number
      group?: InscriptionGroup
    }): InscriptionPage
    /**
     * Hides inscriptions of the account in use from the gallery, or shows them whatever hides them; with `children`, all children of
     * these ids. Null takes back what was said. Coins of what is hidden are held again where payments were allowed to spend them.
     */
    sortInscriptions(params: {
      ids: string[]
      children: boolean
      choice: InscriptionChoice | null
    }): null
    /** One of them, checked against the chain as far as possible. Throws -32602 for one that the account does not have. */
    getInscription(params: { id: string }): InscriptionDetail
    /**
     * The content of an inscription, or of an Atomical (its id with `-Atomicals` behind it), as it can be shown. `preview` asks
     * for no more than a thumbnail needs.
     */
    getInscriptionContent(params: { id: string; preview: boolean }): ContentView
    /**
     * Plans a transfer of inscriptions and Atomicals (ids with `-Atomicals` behind them), each coin once; nothing is signed or
     * reserved.
     */
    planTransfer(params: {
      ids: string[]
      to: string
      feeRate: number
      label: string
    }): PaymentPlanView
    /** Plans a transaction that gives every inscription of a coin its own output of at least `postage` sats, and returns the rest. */
    planSplit(params: { outpoint: string; postage: number; feeRate: number }): PaymentPlanView
    /** Plans a transaction that burns an inscription which is alone on its coin, in the way of `ord wallet burn`; nothing is signed. */
    planBurn(params: { id: string; feeRate: number }): PaymentPlanView
    /**
     * Plans a transaction that makes one coin of these clean ones (outpoints), of as many as fit into it, the smallest first; nothing
     * is signed or reserved.
     */
    planMerge(params: { coins: string[]; feeRate: number }): PaymentPlanView

    /**
     * Forgets what indexes said earlier about the coins of the selected account. From then on the index's present answer counts,
     * unless the chain contradicts it.
     */
    forgetSeenAssets(params: null): null

    // Atomicals
    /** Of the selected account; asks the servers. `offset` and `limit` count NFTs. */
    getAtomicals(params: { offset: number; limit: number }): AtomicalsPage
    /** One of its NFTs. Throws -32602 for one that the account does not have. */
    getAtomical(params: { id: string }): AtomicalDetail
    /** Plans a payment of exactly `amount` units (decimal) of an ARC-20 token; nothing is signed or reserved. */
    planTokenTransfer(params: {
      id: string
      amount: string
      to: string
      feeRate: number
      label: string
    }): PaymentPlanView

    // Runes
    /** Of the selected account, by name; asks the servers. */
    getRunes(params: { offset: number; limit: number }): RunesPage
    /** One by its name, held or not; what the index tells of it is held against its etching. */
    getRune(params: { name: string }): RuneDetail
    /** Plans a payment of runes, each by its name and an amount of whole runes (decimal); nothing is signed or reserved. */
    planRuneTransfer(params: {
      orders: { rune: string; amount: string; to: string }[]
      feeRate: number
      label: string
    }): PaymentPlanView
    /**
     * Plans a transfer of BRC-20 tokens: its inscription, made by the account for itself, and the transaction that sends it on,
     * all of which {@link UiMethods.confirmInscribe} signs at once. `amount` is decimal, in whole tokens. Nothing is reserved.
     */
    planBrc20Send(params: {
      tick: string
      amount: string
      to: string
      feeRate: number
      label: string
    }): InscribePlanView
    /** Plans the commit and the reveal that etch a rune, which {@link UiMethods.confirmInscribe} signs; nothing is reserved. */
    planRuneEtching(params: EtchingDraft): InscribePlanView
    /** Plans mints of a rune, one transaction each; nothing is signed or reserved. */
    planRuneMint(draft: RuneMintDraft): RuneMintPlanView
    /** What the device that has the account's key is to sign of mints, and their review. */
    getRuneMintTask(params: { planId: string; digest: string }): {
      task: SignOnDeviceReview
      review: RuneMintReview
    }
    /**
     * Signs all mints of a plan as it was shown, and hands over as many as are left; with the same plan again it is the same.
     * `returned` is as of {@link UiMethods.confirmPayment}.
     */
    confirmRuneMint(params: { planId: string; digest: string; returned?: string }): {
      jobId: string
    }
    /** Mints of the account in use, newest first, from what is stored. */
    getRuneMints(params: null): RuneMintView[]
    /** One of them, after asking the network about it. */
    getRuneMint(params: { mintId: string }): RuneMintView
    /** Hands over again what the network does not have. */
    resumeRuneMint(params: { mintId: string }): RuneMintView
    /** What was not sent never will be. */
    stopRuneMint(params: { mintId: string }): RuneMintView

    // Inscribing
    /** Plans a commit and its reveals; nothing is signed or reserved. */
    planInscribe(params: InscribeDraft): InscribePlanView
    /** Plans higher fees for the unconfirmed transactions of a job. */
    planJobBump(params: { jobId: string; feeRate: number }): InscribePlanView
    /** Plans to take back the money of items that are not revealed. */
    planJobRefund(params: { jobId: string; feeRate: number }): InscribePlanView
    /** What the device that has the account's key is to sign of a plan (null for nothing), and the plan's review. */
    getInscribeTask(params: { planId: string; digest: string }): {
      task: SignOnDeviceReview | null
      review: InscribeReview
    }
    /**
     * Signs and stores a plan as it was shown, then broadcasts it. The same plan again gives the same job. `returned` is as of
     * {@link UiMethods.confirmPayment}.
     */
    confirmInscribe(params: { planId: string; digest: string; returned?: string }): {
      jobId: string
    }
    /** Jobs of the selected account, newest first. Asks no server. */
    getJobs(params: null): JobView[]
    /** One of them; asks the server for its state. */
    getJob(params: { jobId: string }): JobView
    /** The content of an item (from 0) as it can be shown. */
    getJobContent(params: { jobId: string; item: number }): ContentView
    /** Broadcasts now what the network does not have yet. */
    resumeJob(params: { jobId: string }): JobView
    /** Forgets a job whose commit never reached the network, or keeps what was inscribed where only its delivery is left. */
    discardJob(params: { jobId: string }): null

    /** Finds a commit of which there is no record, and plans how its money comes back. Signs nothing. */
    planCommitRefund(params: CommitRefundDraft): CommitRefundView
    /** Signs and broadcasts such a plan as it was shown; the same plan again is the same transaction. */
    takeCommitRefund(params: { planId: string; digest: string }): PaymentResult

    // BRC-20
    getBrc20(params: null): Brc20Overview
    getBrc20Token(params: { tick: string }): Brc20TokenView
    /** Keeps a ticker in the list, or removes it. */
    followBrc20(params: { tick: string; followed: boolean }): null

    // Payments
    getFeeRates(params: null): FeeRatesView
    /** What a name leads to now; asks the DNS server that the person chose. */
    lookUpName(params: { name: string }): NamedAddressView
    /** Plans a payment; nothing is signed or reserved. */
    planPayment(params: PaymentDraft): PaymentPlanView
    getBumpOptions(params: { txid: string }): BumpOptions
    planBump(params: { txid: string; kind: BumpKind; feeRate: number }): PaymentPlanView
    /** What the device that has the account's key is to sign of a plan, and the plan's review. */
    getDeviceTask(params: { planId: string; digest: string }): {
      task: SignOnDeviceReview
      review: PaymentReview
    }
    /**
     * Signs and broadcasts a plan as it was shown. The same plan again gives the same transaction. `returned` is a JSON array of the
     * signed PSBT in hex, for an account whose key is on a device; -32602 with `data.problem` where it is not what was sent.
     */
    confirmPayment(params: { planId: string; digest: string; returned?: string }): PaymentResult

    // Contacts
    getContacts(params: null): Contact[]
    /** Adds a contact; with the id of an existing one, replaces it. */
    saveContact(params: { id: string | null; name: string; address: string }): Contact
    removeContact(params: { id: string }): null

    // Sites and settings
    getSites(params: null): SiteView[]
    /** Takes away one grant, or with null all grants of the site. */
    revokeSite(params: {
      origin: string
      grant: { accountId: string; network: Network } | null
    }): null
    /** Takes away all grants of all sites. */
    revokeAllSites(params: null): null
    /** How long a site stays connected, from now on. */
    limitSite(params: { origin: string; term: GrantTerm }): null
    getBlockedSites(params: null): BlockedSiteView[]
    /** Disconnects the site, refuses what it asks now and whatever it will ask. */
    blockSite(params: { origin: string }): null
    /** It may ask again, to be connected first. */
    unblockSite(params: { origin: string }): null
    /** All but what the toolbar opens, which `setToolbar` tries first. */
    changeSettings(params: Partial<Omit<Settings, 'toolbarOpens'>>): Settings
    /** Hosts whose plain http pages may use the wallet. */
    getHttpSites(params: null): string[]
    /** Allows or no longer allows the host of a plain http address; what it was connected to is taken back then. */
    setHttpSite(params: { origin: string; on: boolean }): string[]
    getOkxAlias(params: null): OkxAliasView
    /** Sets `window.okxwallet` for every site, or for one. */
    setOkxAlias(params: { everywhere: boolean } | { origin: string; on: boolean }): OkxAliasView
    /**
     * What the toolbar button opens, and whether that is done: it is left as it was where the panel of this browser window, which the
     * page has just asked the browser for, does not come up.
     */
    setToolbar(params: { opens: Settings['toolbarOpens']; windowId: number }): boolean
    /** The site in the tab that is shown in a browser window, as far as its page ever spoke to the wallet, and whether it is connected now. */
    getTabSite(params: { windowId: number }): { origin: string | null; isConnected: boolean }
    getNotifications(params: null): NotificationsView
    /** Stores what is given. That the browser lets the wallet show any is for the page to ask. */
    setNotifications(params: Partial<NotificationChoices>): NotificationsView
    /** From now on what is new in this version is known. */
    dismissNews(params: null): null
    /** From now on no first payment is awaited. */
    dismissFirstPayment(params: null): null

    /** What somebody else than the wallet has changed; the digest says that it is this. Empty while locked. */
    getChangedRecords(params: null): { records: ChangedRecordView[]; digest: string }
    /** Lets what was shown count as it is, or empties it. Throws -32602 when it is something else by now. */
    settleChangedRecords(params: { digest: string; keep: boolean }): null
  }

export type UiMethodName = keyof UiMethods

export type WalletState = {
  vault: 'none' | 'locked' | 'unlocked' | 'damaged'
  /** Milliseconds until another password may be tried; 0 when at once. */
  unlockDelayMs: number
  /** The passkey that unlocks beside the password; null for none. */
  passkey: PasskeyView | null
  network: Network
  /** Chain server of the network in use, and whether the person chose it. */
  server: { url: string; custom: boolean }
  /** All accounts of the network in use, hidden ones too; empty while locked. */
  accounts: AccountView[]
  /** Id of the account in use; null while locked. */
  accountId: string | null
  /** Whether there is a recovery phrase; null while locked. */
  hasPhrase: boolean | null
  /** All of them, in the order in which they came; empty while locked. */
  phrases: PhraseView[]
  settings: Settings
  /** Whether the person has to decide about records that somebody else changed; false while locked. */
  hasChangedRecords: boolean
  pendingApprovals: number
  oneTimeNotices: OneTimeNotices
}
