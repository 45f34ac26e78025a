import type { Certainty } from '../../bitcoin/psbt/binding.ts'
import type { UnknownReason } from '../../ordinals/asset.ts'
import type { DeclaredKind } from '../../ordinals/content/content-kind.ts'
import type { ContentView } from '../../ordinals/content/content-view.ts'
import type { HeldReason } from './payment-views.ts'

export type { ContentView }

/** What sits on a coin, as it is shown. */
export type AssetView =
  | {
      kind: 'inscription'
      id: string /** Null while the index has not told. */
      number: number | null
    }
  | {
      kind: 'atomical'
      id: string
      type: 'nft' | 'ft'
      /** Null while the index has not told. */
      number: number | null
      /** Ticker, realm, container or item; null for none. */
      name: string | null
      /** Units of a token, decimal; 1 for an NFT. */
      amount: string
    }
  | {
      kind: 'rune'
      name: string /** Decimal, in whole runes. */
      amount: string
      symbol: string | null
    }

/** Why it is not known what sits on a coin. */
export type UncheckedReason = UnknownReason

/** Where something that sits on an input ends up. */
export type AssetMoveView = {
  asset: AssetView
  /** Index of the input it comes from. */
  input: number
  /** Whether that input is this wallet's. */
  own: boolean
  /**
   * As drawn. `fee` and `burned` (an OP_RETURN, or a malformed runestone) lose it; `unknown` when too little is known of the
   * inputs before it.
   */
  to: 'own' | 'foreign' | 'fee' | 'burned' | 'unknown'
  /** `open` when a signature of ours leaves that to others; `claimed` when it hangs on an amount that is only somebody's word; `unknown` where `to` is. */
  certainty: Certainty
  /** Output and sat within it (decimal) as drawn; null where it is in none. */
  output: number | null
  offset: string | null
  address: string | null
}

/** How far the wallet checked an inscription itself. */
export type InscriptionProof =
  /** Its reveal transaction carries this content, and the sat was followed from there to the coin. */
  | 'verified'
  /** Its reveal transaction carries this content; where the sat is now is the server's word. */
  | 'revealed'
  /** Not checked (yet), or the chain server did not answer. */
  | 'server'
  /** The chain says something else than the index. */
  | 'contradicted'

/** What a picture of it can be. */
export type ContentKind = DeclaredKind | 'brc-20'

export type InscriptionView = {
  id: string
  number: number
  kind: ContentKind
  contentType: string | null
  contentLength: number | null
  /** Where it sits: the coin, the sat within it (decimal), and the coin's sats. */
  outpoint: string
  offset: string
  sats: string
  /** Block that revealed it; its time in milliseconds. */
  height: number
  at: number
  /** Other assets on the same coin, at most 100 of them. */
  companions: AssetView[]
  /** Why the coin cannot be moved now (a payment under way has it, the person locked it); null when it can. */
  held: Extract<HeldReason, 'reserved' | 'locked'> | null
  /** A transaction of this wallet that no block has yet brought it here. */
  pending: boolean
  proof: InscriptionProof
}

/** Newest arrivals first; `unchecked` coins may hold more that no index has told of. */
export type InscriptionPage = {
  total: number
  inscriptions: InscriptionView[]
  unchecked: { count: number; why: UncheckedReason | null }
}

export type InscriptionDetail = InscriptionView & {
  address: string
  /** Txid of the transaction that revealed it, which is also its number's beginning. */
  reveal: string
  /** Where people can look at that transaction; null when the server in use has no such page. */
  explorerUrl: string | null
  parents: string[]
  delegate: string | null
  charms: string[]
  metaprotocol: string | null
  /** Why the proof is not better, in the person's terms: hops followed, or what the chain said instead. */
  proofDetail:
    | { kind: 'followed'; hops: number }
    | { kind: 'too-far'; hops: number }
    | { kind: 'unanswered' }
    | { kind: 'elsewhere'; outpoint: string }
    | { kind: 'not-in-reveal' }
    | { kind: 'other-content' }
    | null
}

/** An Atomicals NFT of an account. */
export type AtomicalView = {
  id: string
  number: number | null
  /** Realm, container or item; null for none. */
  name: string | null
  /** The coin that it is on, and that coin's sats. */
  outpoint: string
  sats: string
  /** Other assets on the same coin, at most 100 of them. */
  companions: AssetView[]
  /** Why the coin cannot be moved now; null when it can. */
  held: Extract<HeldReason, 'reserved' | 'locked'> | null
  /** A transaction of this wallet that no block has yet brought it here. */
  pending: boolean
}

/** What an account has of an ARC-20 token; units are decimal. */
export type TokenView = {
  id: string
  number: number | null
  /** Ticker; null while the index has not told. */
  name: string | null
  amount: string
  /** On coins with nothing else on them, that nobody locked and no payment has. */
  sendable: string
  coins: number
  /** In transactions of this wallet that no block has yet. */
  pending: string
}

/** Newest arrivals first. Without a server that tells of Atomicals there are none: `isChecked` is false then. */
export type AtomicalsPage = {
  isChecked: boolean
  total: number
  nfts: AtomicalView[]
  tokens: TokenView[]
  unchecked: { count: number; why: UncheckedReason | null }
}

export type AtomicalDetail = AtomicalView & {
  address: string
  /** `realm`, `subrealm`, `container`, `dmitem`; null for none, and while the server does not answer. */
  subtype: string | null
  /** The transaction that minted it and its block, as the server says; null while it does not answer. */
  mint: { txid: string; height: number; explorerUrl: string | null } | null
  /** Whether that transaction, read by this wallet, mints it; null while that cannot be read. */
  isMinted: boolean | null
}
