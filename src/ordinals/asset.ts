// ordinals: what sits on sats, as pure functions: inscriptions, runes, Atomicals and BRC-20. The root holds assets
// and their ids; each protocol has a room, `flow/` says where a transaction moves assets, `transfers/` builds the
// transactions that move them. It promises to call unknown what is not proven. It never asks a server: callers
// hand in what the indexes answered.

import type { AtomicalId } from './atomical-id.ts'
import type { InscriptionId } from './inscription-id.ts'
import type { RuneId } from './rune-id.ts'
import type { RareSat } from './sats/rare-sats.ts'

/**
 * Sats above which a coin with an asset is large: an inscription is cut out of it so that they do not all go along, and
 * plain payments cannot use them.
 */
export const LARGE_POSTAGE = 10_000n

/** An inscription on an output; `offset` counts sats within it, null while no index has placed it. */
export type InscriptionAsset = { kind: 'inscription'; id: InscriptionId; offset: bigint | null }

/** An amount of a rune on an output, in its smallest unit; `rune` is null where only the name is known. */
export type RuneAsset = {
  kind: 'rune'
  /** With its spacers. */
  name: string
  rune: RuneId | null
  amount: bigint
  divisibility: number
  symbol: string | null
}

/** A whole Atomicals NFT on an output, or units of an ARC-20 token, of which there is at most one on each sat. */
export type AtomicalAsset = {
  kind: 'atomical'
  id: AtomicalId
  type: 'nft' | 'ft'
  /** As the index reports it; null where it has not. */
  number: number | null
  /** Ticker, realm, container or item, as the index reports it; null for none. */
  name: string | null
  /** Units; 1 for an NFT. */
  amount: bigint
}

export type Asset = InscriptionAsset | RuneAsset | AtomicalAsset

/** Why it is not known what sits on a coin. */
export type UnknownReason =
  /** The index did not answer, or answered nonsense. */
  | 'unanswered'
  /** It has not got to the coin's block yet. */
  | 'behind'
  /** It does not keep what this takes. */
  | 'not-indexed'
  /** The coin is in no block, and not of this wallet's making. */
  | 'unconfirmed'
  /** What it says is not what another index, an earlier answer or the transaction itself says. */
  | 'contradicted'

/** What sits on a coin; clean is `known` without assets. `rareSats` are there where the index knows the sats of coins and has some. */
export type CoinAssets =
  | { known: true; assets: readonly Asset[]; rareSats?: readonly RareSat[] }
  | { known: false; why: UnknownReason }
