import type { Network } from '../../bitcoin/network.ts'
import type { GivenName } from './account-views.ts'
import type { GrantTerm } from './settings-views.ts'

/**
 * How a question of a site ended:
 * - `approved`: the person said yes, and it was done
 * - `rejected`: the person said no, or blocked the site
 * - `closed`: the person closed the window
 * - `expired`: nobody answered in time
 * - `ended`: the page left, or the account, the network or the connection changed
 * - `failed`: the person said yes, and it could not be done
 */
export type ApprovalAnswer = 'approved' | 'rejected' | 'closed' | 'expired' | 'ended' | 'failed'

/**
 * What the person was asked, in short. Texts are their beginnings, lists their first entries; `count` is how many there were.
 * Sats are decimal strings; `net` is what the wallet gains, negative where it pays.
 */
export type AskedQuestion =
  | { kind: 'connect'; term: GrantTerm }
  | { kind: 'unlock' }
  | { kind: 'switch-network'; network: Network }
  | { kind: 'sign-messages'; texts: string[]; count: number }
  | { kind: 'derive-context-hash'; appName: string }
  | {
      kind: 'payment'
      recipients: { address: string; sats: string }[]
      count: number
      sats: string
      fee: string
      /** Assets that it moves. */
      assets: number
    }
  | { kind: 'sign-psbts'; count: number; net: string; fee: string | null; broadcast: boolean }
  | { kind: 'push'; count: number; net: string; fee: string | null }
  /** `texts` are the BRC-20 operations and the rune that it is about. */
  | { kind: 'inscribe'; count: number; cost: string; fee: string; texts: string[] }
  | { kind: 'rune-mint'; rune: string; count: number; fee: string }
  | { kind: 'brc20-amount'; tick: string }

/** A question of a site and its answer. */
export type AskedEntry = {
  id: string
  origin: string
  /** When it was asked and when it ended, in milliseconds since 1970. */
  at: number
  endedAt: number
  /** Null where the wallet was locked all the time. */
  accountId: string | null
  network: Network | null
  /** The operation that the site called. */
  method: string
  question: AskedQuestion
  answer: ApprovalAnswer
  /** Why it failed or ended: the reason's code or the beginning of its message; null for other answers. */
  reason: string | null
  /** Transactions that came of it, as far as known. */
  txids: string[]
}

export type AskedEntryView = AskedEntry & {
  /** Empty where the account is none of the wallet's any more. */
  accountName: GivenName
}

/** Which answers are listed. */
export type AnswerFilter = 'all' | 'approved' | 'not-approved'

export type ApprovalHistoryMethods = {
  /** What sites (or one) asked in the last 90 days, the newest first. Throws 4100 while the wallet is locked. */
  getApprovalHistory(params: {
    origin: string | null
    answer: AnswerFilter
    offset: number
    limit: number
  }): { entries: AskedEntryView[]; total: number }
  /** The same with all answers, as CSV (RFC 4180). `unnamed` is what an account without a name is called, with `{number}`. */
  exportApprovalHistory(params: { origin: string | null; unnamed: string }): {
    csv: string
    count: number
  }
  /** Forgets it. */
  clearApprovalHistory(params: { origin: string | null }): null
}
