import type { Network } from '../../bitcoin/network.ts'
import type { ServerProblem } from './activity-views.ts'

export type Settings = {
  autoLockMinutes: number
  /** `auto` follows the browser. */
  language: 'auto' | 'en' | 'de'
  theme: 'system' | 'light' | 'dark'
  /** ISO 4217 code that amounts are also shown in; null for none. Asks the price server. */
  currency: Currency | null
  expert: ExpertSwitches
}

export type Currency = 'USD' | 'EUR' | 'GBP' | 'CAD' | 'CHF' | 'AUD' | 'JPY'

/** All off by default: each lifts a protection, but for `holdSmallCoins`, which adds one. */
export type ExpertSwitches = {
  /** Payments may spend what others sent and no block holds yet. */
  spendUnconfirmed: boolean
  /** Payments may spend coins of more than 10,000 sats of which no index has said what sits on them. */
  spendUnchecked: boolean
  /** PSBTs may lose inscriptions and runes to fees and to outputs that nobody can spend. */
  burnAssets: boolean
  /** Sites may ask for signatures that leave nearly everything to others (NONE, SINGLE). */
  anySighash: boolean
  /** Payments leave coins of at most 10,000 sats alone while no server tells of Atomicals. */
  holdSmallCoins: boolean
}

/**
 * What a network is read from: `chain` and the index of `assets` always; `secondChain` and `secondAssets` beside them for
 * safety; `brc20` for tokens; `atomicals` for what no index of `assets` tells; `fees` and `price` where they are to come
 * from elsewhere.
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

export type ServerView = {
  kind: ServerKind
  /** Empty where none is set: `fees` and `price` are then asked of `chain`. */
  url: string
  /** Whether the person chose it. */
  custom: boolean
  /** What it goes back to; empty for none. */
  defaultUrl: string
  /** Whether the person gave a key for it. */
  hasKey: boolean
}

export type ServerState = {
  kind: ServerKind
  url: string
  /** `behind` when its newest block is older than another server's, or older than it can be. */
  state: 'synced' | 'behind' | 'unreachable' | 'wrong-network'
  /** Null for servers without blocks, and while unreachable. */
  height: number | null
  latencyMs: number | null
  problem: ServerProblem | null
}

/** A server that was just asked whether it serves the network. */
export type ServerCheck =
  | { usable: true; height: number | null; latencyMs: number; live: boolean }
  | { usable: false; problem: ServerProblem }

export type SiteView = {
  origin: string
  grants: { accountId: string; accountName: string; network: Network; at: number }[]
}

/** Where the wallet answers in the place of OKX Wallet, to sites that look for nothing else. */
export type OkxAliasView = {
  everywhere: boolean
  /** The sites where it does, be it everywhere or not; the newest first. */
  origins: string[]
}
