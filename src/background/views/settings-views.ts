import type { Network } from '../../bitcoin/network.ts'
import type { Language } from '../../browser/languages.ts'
import type { Rarity } from '../../ordinals/sats/rarity.ts'
import type { GivenName } from './account-views.ts'

export type Settings = {
  autoLockMinutes: number
  /** `auto` follows the browser. */
  language: 'auto' | Language
  theme: 'system' | 'light' | 'dark'
  /** ISO 4217 code of a second currency for amounts; null for none. Needs the price server. */
  currency: Currency | null
  /** Screens that show what an account holds show no amounts; forms, reviews and approvals do. */
  hideAmounts: boolean
  /** What came unasked and looks like spam is in a list of its own. */
  sortSpam: boolean
  /** A site that has not used its connection for so many days is disconnected; null for never. */
  disconnectUnusedDays: 30 | 90 | 365 | null
  /** The person is told when fees for half an hour are under so many sat/vB; null for never. */
  feeAlert: number | null
  /** What a press on the toolbar button opens: the popup, or the panel beside the page. Of this browser: it is in no backup. */
  toolbarOpens: 'popup' | 'panel'
  /** Payments leave coins with sats of this rarity or above alone; null for none. */
  holdRareSats: Rarity | null
  expert: ExpertSwitches
}

export type Currency = 'USD' | 'EUR' | 'GBP' | 'CAD' | 'CHF' | 'AUD' | 'JPY'

/** All off by default. Each turns a protection off, except `holdSmallCoins`, which adds one. */
export type ExpertSwitches = {
  /** Payments may spend unconfirmed coins from others. */
  spendUnconfirmed: boolean
  /** Payments may spend coins of more than 10,000 sats of which no index has said what sits on them. */
  spendUnchecked: boolean
  /** PSBTs may lose assets to fees and to outputs that nobody can spend. */
  burnAssets: boolean
  /** Sites may ask for SIGHASH_NONE and SIGHASH_SINGLE, which leave nearly everything to others. */
  anySighash: boolean
  /** Payments leave coins of at most 10,000 sats alone while there is no index of Atomicals. */
  holdSmallCoins: boolean
}

/** What the browser's notifications tell of: nothing unless `on`. */
export type NotificationChoices = {
  on: boolean
  /** Payments that came. */
  received: boolean
  /** Payments that are in a block, received or sent. */
  confirmed: boolean
  /** Payments that another transaction took the place of, or that are gone or were refused. */
  replaced: boolean
  /** Jobs that are done, or stuck. */
  jobs: boolean
  /** Whether amounts are in them while the wallet is unlocked and shows amounts. */
  amounts: boolean
}

/**
 * - `allowed`: the browser lets the wallet show notifications
 * - `not-allowed`: it was never asked, said no, or the person took it back there
 * - `blocked`: it is allowed, and browser or system show none of the wallet's
 * - `unavailable`: this browser has no notifications
 */
export type NotificationsView = NotificationChoices & {
  state: 'allowed' | 'not-allowed' | 'blocked' | 'unavailable'
}

/**
 * Whether the newest blocks of the chain server in use follow those that the wallet has checked. Where they do not, `checkedTo` is
 * the height up to which they did: what is confirmed above it counts as not confirmed. Without it nothing was checked before.
 */
export type ChainState = ChainFinding & { checkedTo?: number }

/** What came of looking at the newest blocks. */
export type ChainFinding =
  | { is: 'followed' }
  /** They do, and the newest one is older than the network explains. */
  | { is: 'stale'; hours: number }
  /** It lacks so many blocks. */
  | { is: 'behind'; blocks: number }
  /** In the place of so many blocks it shows others, which took no more work. */
  | { is: 'forked'; blocks: number }
  /** It and the second server, at this host, do not have the same last blocks; so many of one the other lacks. */
  | { is: 'disagree'; blocks: number; second: string }
  | { is: 'refused'; fault: ChainFault }
  /** It gives no headers. */
  | { is: 'unanswered' }

/**
 * - `no-work`: with less work than the network asks for
 * - `other-chain`: another block than one that this release knows
 * - `unlinked`: they do not follow those that are held, or not each other
 * - `clock`: dated hours ahead of this computer
 * - `invalid`: against another rule for headers
 */
export type ChainFault = 'no-work' | 'other-chain' | 'unlinked' | 'clock' | 'invalid'

/**
 * The servers of a network: `chain` and the index of `assets` always; `secondChain` and `secondAssets` to compare with them;
 * `brc20` for BRC-20 tokens; `atomicals` for Atomicals, of which ord knows nothing; `fees` and `price` where another server
 * than `chain` is to say them; `names` is a DNS server for names that are paid.
 */
export type ServerKind =
  | 'chain'
  | 'secondChain'
  | 'assets'
  | 'secondAssets'
  | 'brc20'
  | 'atomicals'
  | 'fees'
  | 'price'
  | 'names'

/** Why a server gave no usable answer. The same fields as in `chain/chain-source.ts`, which our pages do not import. */
export type ServerProblem = {
  kind:
    | 'unreachable'
    | 'rate-limited'
    | 'wrong-network'
    | 'too-many-coins'
    | 'nonsense'
    | 'disagreement'
  /** Host of the server, such as `mempool.space`. */
  host: string
  /** What it answered, or how it failed; in English. */
  detail: string
  /** Milliseconds until it is asked again by itself; null when nothing is planned. */
  retryInMs: number | null
}

export type ServerView = {
  kind: ServerKind
  /** Empty where none is set; `fees` and `price` then come from `chain`. */
  url: string
  /** Whether the person chose it. */
  custom: boolean
  /** URL without a choice of the person; empty for none. */
  defaultUrl: string
  /** Whether an API key is stored for it. */
  hasKey: boolean
}

export type ServerState = {
  kind: ServerKind
  url: string
  /** `behind` when its newest block is older than another server's, or too old to be the newest. */
  state: 'synced' | 'behind' | 'unreachable' | 'wrong-network'
  /** Null for servers without blocks, and while unreachable. */
  height: number | null
  latencyMs: number | null
  problem: ServerProblem | null
}

/** The answer of a server that was asked whether it serves the network. */
export type ServerCheck =
  | { usable: true; height: number | null; latencyMs: number; live: boolean }
  | { usable: false; problem: ServerProblem }

/** How long a site stays connected: until it is disconnected, for a day, or until the wallet locks. */
export type GrantTerm = 'always' | 'day' | 'lock'

export type SiteView = {
  origin: string
  /** When any of its grants was used last, to the hour; null for not since it is kept. */
  usedAt: number | null
  grants: {
    accountId: string
    accountName: GivenName
    network: Network
    at: number
    /** When it ends if nothing changes; null for no such time. */
    endsAt: number | null
    /** Whether it was given for a day. */
    isForADay: boolean
    /** Whether it ends when the wallet locks. */
    endsWithLock: boolean
  }[]
}

/**
 * What the wallet stores of one kind and has not written itself; it does not count before the person has decided. `entries` is
 * what is there now, `name` being an origin, a name, a {@link ServerKind}, the address of a server, or a switch that is on.
 */
export type ChangedRecordView = {
  record: 'sites' | 'contacts' | 'servers' | 'serverKeys' | 'switches'
  entries: ChangedEntry[]
}

/** `detail` is the address of a contact or server, else empty. */
export type ChangedEntry = { name: string; detail: string; network: Network | null }

/** A site whose requests are refused without a word to the person. */
export type BlockedSiteView = { origin: string; at: number }

/** What the start screen has yet to tell, once each. */
export type OneTimeNotices = {
  /** The version whose news the person has seen or needs no word of; null where nothing is on record. */
  newsUpTo: string | null
  /** Whether the wallet was made of new words and its first payment was not told of yet. */
  awaitsFirstPayment: boolean
}

/** The sites where the wallet also answers by the names of other wallets, for pages that know no other. */
export type OkxAliasView = {
  everywhere: boolean
  /** The sites that the person chose one by one, the newest first; kept while `everywhere` is on. */
  origins: string[]
}
