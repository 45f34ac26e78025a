import type { Network } from '../bitcoin/network.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import type { CoinAssets } from '../ordinals/asset.ts'
import type { SatPoint } from '../ordinals/flow/sat-flow.ts'
import type { InscriptionId } from '../ordinals/inscription-id.ts'
import type { RuneId } from '../ordinals/rune-id.ts'
import type { MintTerms } from '../ordinals/runes/runestone.ts'

/** An inscription as an index reports it; nothing in it is proven. */
export type InscriptionFacts = {
  id: InscriptionId
  /** Negative for cursed ones. */
  number: number
  /** Null where it sits on no address. */
  address: string | null
  /** Sats of the output; null where it is on none. */
  value: bigint | null
  contentType: string | null
  contentLength: number | null
  satpoint: SatPoint
  /** Of the block that revealed it, and that block's time in milliseconds. */
  height: number
  at: number
  parents: readonly InscriptionId[]
  charms: readonly string[]
  metaprotocol: string | null
}

/** What an index serves as the content of an inscription: a delegate's where it names one. */
export type InscriptionContent = { contentType: string | null; bytes: Uint8Array }

/** A rune as an index reports it, amounts in its smallest unit; nothing in it is proven. */
export type RuneFacts = {
  id: RuneId
  /** With its spacers. */
  name: string
  /** In the order of etching, from 0. */
  number: number
  divisibility: number
  symbol: string | null
  premine: bigint
  /** How often it was minted. */
  mints: bigint
  burned: bigint
  /** Null where it cannot be minted. */
  terms: MintTerms | null
  turbo: boolean
  /** Txid, height of its block, and that block's time in milliseconds. */
  etching: string
  height: number
  at: number
  /** Whether a mint in the next block would give something. */
  isMintable: boolean
}

/** What the wallet asks of an index of assets. Every answer is checked before it is returned; all throw BackendUnavailableError. */
export type AssetSource = {
  network: Network
  /** Newest block that is indexed. Throws for another chain, and for a server that keeps no inscriptions or no runes. */
  fetchTip(): Promise<{ height: number }>
  /**
   * What sits on coins, by outpoint; each has an answer. Clean only if the index is past the coin's block, has the output
   * indexed and unspent with the same value, and says that nothing is there. Inscriptions are without offsets.
   */
  fetchAssets(coins: readonly (Utxo & { outpoint: string })[]): Promise<Map<string, CoinAssets>>
  /** Those of these that it knows. */
  fetchInscriptions(ids: readonly InscriptionId[]): Promise<Map<InscriptionId, InscriptionFacts>>
  /** Null when it is larger than `maxBytes`, or the index has none. */
  fetchContent(id: InscriptionId, maxBytes: number): Promise<InscriptionContent | null>
  /** By its name, with or without spacers, or by its id; null for one that it does not know. */
  fetchRune(rune: string): Promise<RuneFacts | null>
}
