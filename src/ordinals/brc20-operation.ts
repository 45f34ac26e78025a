/** What a BRC-20 inscription asks for; amounts as decimal text, as they are inscribed. */
export type Brc20Operation =
  | {
      op: 'deploy'
      tick: string
      max: string
      /** Null: as much as `max`. */
      lim: string | null
      /** Digits after the point; null for 18. */
      dec: string | null
      /** Only holders of the deploy inscription mint; tickers of five bytes, and these only. */
      selfMint: boolean
    }
  | { op: 'mint'; tick: string; amt: string }
  | { op: 'transfer'; tick: string; amt: string }
