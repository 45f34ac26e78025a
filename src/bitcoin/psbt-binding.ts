/** How far a claim about a transaction holds, whoever else signs what. */
export type Certainty =
  /** In every transaction in which a signature of ours is valid. */
  | 'certain'
  /** Unless others use a signature of ours in another transaction than the one that is drawn. */
  | 'open'
  /** Unless an amount or a script that only the PSBT tells is another one. */
  | 'claimed'
  /** Nobody can say, or only others decide. */
  | 'unknown'

/** What a review says of a transaction, never without how far it holds. */
export type Claim<T> = { value: T; certainty: Certainty }
