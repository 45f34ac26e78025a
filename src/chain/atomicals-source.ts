import type { Network } from '../bitcoin/network.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import type { AtomicalAsset, UnknownReason } from '../ordinals/asset.ts'
import type { AtomicalId } from '../ordinals/atomical-id.ts'

/** An Atomical as an index reports it; nothing in it is proven. */
export type AtomicalFacts = {
  id: AtomicalId
  number: number
  type: 'nft' | 'ft'
  /** `realm`, `subrealm`, `container`, `dmitem`, `decentralized`, `direct`, or `request_` and a name; null for none. */
  subtype: string | null
  /** Ticker, realm, container or item; null for none. */
  name: string | null
  /** Of the transaction that minted it (for a token minted by many, that opened it), and its block. */
  reveal: { txid: string; height: number }
}

/** Which Atomicals sit on a coin. */
export type CoinAtomicals =
  | { known: true; assets: readonly AtomicalAsset[] }
  | { known: false; why: UnknownReason }

/** Where an index says that a transaction would bring what is on its inputs; of a token the units on each output. */
export type AtomicalsBlueprint = {
  outputs: readonly { output: number; id: AtomicalId; type: 'nft' | 'ft'; amount: bigint }[]
  /** Units that would be lost, by token; 1 of an NFT. */
  burned: readonly { id: AtomicalId; amount: bigint }[]
}

/** What the wallet asks of an index of Atomicals. Every answer is checked before it is returned; all throw BackendUnavailableError. */
export type AtomicalsSource = {
  network: Network
  /** Newest block that is indexed. Throws for another chain, as all questions do. */
  fetchTip(): Promise<{ height: number }>
  /**
   * What sits on coins, by outpoint; each has an answer. None only if the index is past the coin's block, lists the coin as
   * unspent in that block with the same value, and names nothing on it. What only the mempool spends is unspent.
   */
  fetchAtomicals(
    coins: readonly (Utxo & { outpoint: string })[],
  ): Promise<Map<string, CoinAtomicals>>
  /** Those of these that it knows. */
  fetchFacts(ids: readonly AtomicalId[]): Promise<Map<AtomicalId, AtomicalFacts>>
  /** What it makes of a transaction that need not be signed; what is on unconfirmed inputs it does not know. */
  foresee(rawTx: Uint8Array): Promise<AtomicalsBlueprint>
}
