import type { FeeRates, PricePoint, Prices } from '../../chain/chain-source.ts'

/** What a chain in memory does otherwise than a good server. */
export type ChainFaults = {
  refuse?: string
  unreachable?: boolean
  /** The broadcast arrives, its answer does not. */
  loseAnswers?: boolean
  slowFeesMs?: number
  fees?: FeeRates
  prices?: Prices
  /** In whatever currency; null for a server that has none. */
  priceHistory?: PricePoint[] | null
  /** The fastest rate of servers beside the one that is asked for fees. */
  otherFastest?: number
  /** No answer to questions about blocks ever comes. */
  silentBlocks?: boolean
}
