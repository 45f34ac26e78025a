/** Who may mint how much. */
export type EtchingTermsDraft = {
  /** Whole runes (decimal) of one mint. */
  amount: string
  /** How many mints there are (decimal). */
  cap: string
  /** Blocks by their height; the end is the first without mints. */
  height: BlockRange
  /** Blocks counted from the etching's. */
  offset: BlockRange
}

export type BlockRange = { start: number | null; end: number | null }

/** A rune that is being etched, as it is shown. Amounts are of whole runes (decimal). */
export type EtchingView = {
  name: string
  symbol: string
  divisibility: number
  /** `0` for none. */
  premine: string
  terms: EtchingTermsDraft | null
  /** Premine and all mints. */
  supply: string
  turbo: boolean
  /** Whether the same transaction inscribes something. */
  isInscribed: boolean
}

/** What a person should know before it begins. */
export type EtchingReview = EtchingView & {
  /** Blocks from the payment's to that of the etching, both counted. */
  blocks: number
  /** Sats that taking the money back would cost where the name is taken meanwhile, at the same fee rate. */
  refundFee: string
}

/** How far an etching is. */
export type EtchingProgress = EtchingView & {
  /** Confirmations of the payment that commits to the name, and how many it has when the rune is etched. */
  confirmations: number
  needed: number
  /** Txid of somebody else's etching of the name, as the index last said; null for none. */
  takenBy: string | null
}
