import type { Certainty } from '../../bitcoin/psbt/binding.ts'
import type { UnknownReason } from '../../ordinals/asset.ts'
import type { DeclaredKind } from '../../ordinals/content/content-kind.ts'
import type { ContentView } from '../../ordinals/content/content-view.ts'
import type { Rarity } from '../../ordinals/sats/rarity.ts'

export type { ContentView, Rarity }

/** What sits on a coin, as it is shown. */
export type AssetView =
  | {
      kind: 'inscription'
      id: string
      /** Null while the index has not said. */
      number: number | null
    }
  | {
      kind: 'atomical'
      id: string
      type: 'nft' | 'ft'
      /** Null while the index has not said. */
      number: number | null
      /** Ticker, realm, container or item; null for none. */
      name: string | null
      /** Units of a token, decimal; 1 for an NFT. */
      amount: string
    }
  | {
      kind: 'rune'
      name: string
      /** Decimal, in whole runes. */
      amount: string
      symbol: string | null
    }

/** A rare sat on a coin: its number, its place in the coin (both decimal), its name in letters, and the block that mined it. */
export type RareSatView = {
  sat: string
  offset: string
  rarity: Rarity
  name: string
  height: number
}

/** Why it is not known what sits on a coin. */
export type UncheckedReason = UnknownReason

/** Why the wallet does not choose a coin by itself. */
export type HeldReason =
  /** A payment under way spends it. */
  | 'reserved'
  /** Unconfirmed, and paid by somebody else. */
  | 'unconfirmed'
  /** An inscription sits on it. */
  | 'inscribed'
  /** Atomicals sit on it, and no inscription. */
  | 'atomical'
  /** Runes sit on it, and nothing else. */
  | 'runic'
  /** At most 10,000 sats, without an index of Atomicals, and the person's setting holds such coins. */
  | 'small'
  /** At most 1,000 sats from somebody whom the account has not dealt with: spending it with others would link addresses. */
  | 'dust'
  /** It holds a sat that is as rare as the person's setting holds. */
  | 'rare'
  /** No index has said what sits on it. */
  | 'unknown'
  /** On the account's address for ordinals, which payments do not spend from. */
  | 'ordinals'
  /** The person locked it. */
  | 'locked'

/** Where something that sits on an input ends up. */
export type AssetMoveView = {
  asset: AssetView
  /** Index of the input it comes from. */
  input: number
  /** Whether that input is this wallet's. */
  own: boolean
  /**
   * Where the transaction as it stands puts it. `fee` and `burned` (an OP_RETURN, or a malformed runestone) lose it; `unknown`
   * when an amount or a content before it is not known.
   */
  to: 'own' | 'foreign' | 'fee' | 'burned' | 'unknown'
  /**
   * `open` when our signatures let others change it; `claimed` when it depends on an amount that only the PSBT states;
   * `unknown` where `to` is.
   */
  certainty: Certainty
  /** Index of the output and the sat within it (decimal); null where it is in none. */
  output: number | null
  offset: string | null
  address: string | null
}

/** How much of an inscription the wallet checked on the chain itself. */
export type InscriptionProof =
  /** Its reveal transaction carries this content, and the sat was followed from there to the coin. */
  | 'verified'
  /** Its reveal transaction carries this content; only the server says where the sat is now. */
  | 'revealed'
  /** Not checked (yet), or the chain server did not answer. */
  | 'server'
  /** The chain says something else than the index. */
  | 'contradicted'

/** How its content can be shown. */
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
  /** Block of its reveal, and that block's time in milliseconds since 1970. */
  height: number
  at: number
  /** Other assets on the same coin, at most 100 of them. */
  companions: AssetView[]
  /** Why the coin cannot be moved now; null when it can. */
  held: Extract<HeldReason, 'reserved' | 'locked'> | null
  /** An unconfirmed transaction of this wallet brought it here. */
  pending: boolean
  proof: InscriptionProof
}

/** What the person said of an inscription, or of a collection. */
export type InscriptionChoice = 'hidden' | 'kept'

/** Where an inscription is listed: in the gallery, or in a list of its own. */
export type InscriptionGroup = 'shown' | 'hidden' | 'spam'

/**
 * Why something that came unasked is possible spam: its content runs code where it is opened elsewhere, its transaction pays ten or
 * more, or several with the same content came.
 */
export type SpamReason = 'code' | 'many-recipients' | 'same-content'

/** The group of an inscription, and why: `chosen` by itself, or with its `collection`. */
export type InscriptionSorting =
  | { group: 'shown'; why: null }
  | { group: 'hidden'; why: 'chosen' | 'collection' }
  | { group: 'spam'; why: SpamReason }

/** Newest arrivals first. `unchecked` are coins that no index has described: they may hold more. */
export type InscriptionPage = {
  /** Of the group that was asked for, and how many are in the other ones. */
  total: number
  hidden: number
  spam: number
  inscriptions: InscriptionView[]
  unchecked: { count: number; why: UncheckedReason | null }
  /** How many runes there are, each by its name. */
  runes: number
}

export type InscriptionDetail = InscriptionView & {
  /** The rare sats that an index knows its coin to hold. */
  rareSats: RareSatView[]
  /** The person let payments spend its coin. */
  isReleased: boolean
  sorting: InscriptionSorting
  address: string
  /** Txid of the transaction that revealed it. */
  reveal: string
  /** URL where a person can look at that transaction; null where the chain server has no such page. */
  explorerUrl: string | null
  parents: string[]
  delegate: string | null
  charms: string[]
  metaprotocol: string | null
  /** How many transactions were followed (`hops`), or what the chain says instead. */
  proofDetail:
    | { kind: 'followed'; hops: number }
    | { kind: 'too-far'; hops: number }
    | { kind: 'unanswered' }
    | { kind: 'elsewhere'; outpoint: string }
    | { kind: 'not-in-reveal' }
    | { kind: 'other-content' }
    | null
}

/** How much of a rune the wallet checked on the chain itself. */
export type RuneProof =
  /** Its etching is at the place of its id, with this name and these terms, and was committed to in time. */
  | 'verified'
  /** The chain server did not answer, or does not know the etching. */
  | 'server'
  /** The chain says something else than the index. */
  | 'contradicted'

/** What an account has of a rune; amounts are decimal, in whole runes. */
export type RuneView = {
  /** With its spacers. */
  name: string
  symbol: string | null
  divisibility: number
  amount: string
  /** On coins that are not locked, carry no Atomicals, and are in no payment under way. */
  sendable: string
  coins: number
  /** In unconfirmed transactions of this wallet. */
  pending: string
}

/** The largest amount of coins first. */
export type RunesPage = {
  total: number
  runes: RuneView[]
  unchecked: { count: number; why: UncheckedReason | null }
}

/** Who may mint how much, amounts decimal in whole runes; heights from `start` on and before `end`, null for no limit. */
export type RuneTermsView = {
  amount: string
  cap: string
  start: number | null
  end: number | null
}

/** A rune and what the account has of it; `held` is null for nothing. */
export type RuneDetail = {
  name: string
  held: RuneView | null
  /** The coins that carry it, with all that is on them. */
  coins: { outpoint: string; sats: string; assets: AssetView[]; held: HeldReason | null }[]
  /** What the index tells; null while it does not answer, or knows no such rune. */
  facts: {
    id: string
    number: number
    symbol: string | null
    divisibility: number
    /** What there is of it: mined and not burned. */
    supply: string
    premine: string
    burned: string
    mints: string
    terms: RuneTermsView | null
    isMintable: boolean
    turbo: boolean
    /** Txid, and the page where a person can look at it; null where the chain server has none. */
    etching: string
    explorerUrl: string | null
    height: number
    at: number
    proof: RuneProof
  } | null
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
  /** An unconfirmed transaction of this wallet brought it here. */
  pending: boolean
}

/** What an account has of an ARC-20 token; amounts are units, in decimal. */
export type TokenView = {
  id: string
  number: number | null
  /** Ticker; null while the index has not said. */
  name: string | null
  amount: string
  /** On coins that carry nothing else, are not locked, and are in no payment under way. */
  sendable: string
  coins: number
  /** In unconfirmed transactions of this wallet. */
  pending: string
}

/** Newest arrivals first. Without an index of Atomicals the lists are empty and `isChecked` is false. */
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
  /** The transaction that minted it and its block, by the word of the server; null while it does not answer. */
  mint: { txid: string; height: number; explorerUrl: string | null } | null
  /** Whether the wallet found the mint in that transaction itself; null while it cannot fetch it. */
  isMinted: boolean | null
}
