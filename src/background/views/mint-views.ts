import type { RuneProof } from './asset-views.ts'
import type { ReviewedInput, Warning } from './payment-views.ts'

/** How often a rune is to be minted. */
export type RuneMintDraft = {
  /** Its name, with or without spacers. */
  rune: string
  /** 1 to 24. */
  count: number
  /** sat/vB. */
  feeRate: number
  /** The person's own note in the activity; empty for none. */
  label: string
}

/** Mints that are not signed yet. */
export type RuneMintPlanView = { planId: string; digest: string; review: RuneMintReview }

/** Amounts of the rune are decimal, in whole runes. */
export type RuneMintReview = {
  kind: 'rune-mint'
  /** How far the rune is proven; its terms are the etching's where it is `verified`. */
  rune: { id: string; name: string; symbol: string | null; proof: RuneProof }
  count: number
  each: string
  total: string
  /** Mints that are left, by the index's word. */
  remaining: string
  /** The first height at which nothing can be minted, and blocks until then, the next one counted; null for no end. */
  end: { height: number; blocks: number } | null
  /** Of all mints together. */
  fee: string
  /** Sats of each coin with minted runes; they stay with the account. */
  postage: string
  /** Sats that a whole rune costs, with at most eight decimals; null where nothing comes of a mint. */
  perRune: string | null
  /** sat/vB of all together. */
  feeRate: number
  recentFeeRate: number | null
  /** Of each transaction, in the order of their broadcast. */
  transactions: { fee: string; vsize: number }[]
  inputs: ReviewedInput[]
  /** Spendable sats of the account after all of it. */
  balanceAfter: string
  warnings: Warning[]
}

/**
 * How one mint stands.
 * - `waiting`: not handed over yet
 * - `pending`: in the mempool
 * - `confirmed`: in a block, and no index has told yet what it gave
 * - `minted`, `empty`: in a block, and the index says that it gave the amount, or nothing
 * - `dropped`: never sent, as the minting was stopped
 */
export type RuneMintItemState = 'waiting' | 'pending' | 'confirmed' | 'minted' | 'empty' | 'dropped'

/** Why no further mint is handed over: the `cap` is reached or the `end` has come by the index's word, by the person, or since another transaction spends a coin of it. */
export type MintStop = 'cap' | 'end' | 'person' | 'conflict'

/** Minting under way, or over. Amounts of the rune are decimal, in whole runes. */
export type RuneMintView = {
  id: string
  rune: { id: string; name: string; symbol: string | null }
  at: number
  each: string
  /** What the account was given, by the index's word. */
  minted: string
  fee: string
  feeRate: number
  /**
   * `minting` while some are not sent, `waiting` while all that will be sent wait for blocks, `stuck` where the node refuses or
   * nobody answers, `done`, or `stopped`: what was not sent never will be, and nothing of it waits.
   */
  state: 'minting' | 'waiting' | 'stuck' | 'done' | 'stopped'
  stopped: MintStop | null
  problem: { kind: 'unanswered' | 'refused' | 'behind'; detail: string } | null
  mints: { txid: string; fee: string; state: RuneMintItemState; explorerUrl: string | null }[]
  can: { resume: boolean; stop: boolean }
}
