/** Why a runestone is malformed, in ord's words. */
export type RunestoneFlaw =
  | 'script'
  | 'varint'
  | 'truncated-field'
  | 'trailing-integers'
  | 'edict-rune-id'
  | 'edict-output'
  | 'supply-overflow'
  | 'unrecognized-flag'
  | 'unrecognized-even-tag'

/** An amount of a rune: whole runes where its decimals are known, else its smallest unit. */
export type RuneAmountView = { text: string; isUnits: boolean }

/** An amount in whole runes, and where it lands; null where it is burned. */
export type RuneLandingView = { output: number | null; amount: string }

/** A rune by its id, and by its name where an index tells it. `0:0` is the rune that the transaction itself etches. */
export type NamedRuneView = { id: string; name: string | null }

export type RuneEtchingView = {
  /** Null for the name that belongs to its place in the chain. */
  name: string | null
  symbol: string | null
  divisibility: number
  /** Decimal, in whole runes, and where it lands. */
  premine: string
  landings: RuneLandingView[]
  /** What each mint gives (decimal, in whole runes) and how many there can be; null where nobody can mint. */
  terms: { amount: string; cap: string } | null
  turbo: boolean
}

/** What a transaction says about runes, deciphered. */
export type RunestoneView = {
  /** Index of the output that says it. */
  output: number
  /** Why it is malformed: then every rune of the inputs is burned, and what it mints too. Null where it is not. */
  flaw: RunestoneFlaw | null
  /** No signature of ours fixes the outputs: others can change it. */
  isOpen: boolean
  /** The first of them. `amount` is null for all that is left, `output` for a share to each output that is no OP_RETURN. */
  edicts: (NamedRuneView & { amount: RuneAmountView | null; output: number | null })[]
  edictCount: number
  /** The output that takes what no edict gives away; null where that is burned. */
  rest: number | null
  /** `amount` by the index's word, in whole runes: 0 where nothing can be minted now, null where it does not tell. */
  mint: (NamedRuneView & { amount: string | null; landings: RuneLandingView[] }) | null
  etching: RuneEtchingView | null
}
