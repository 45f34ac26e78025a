/** Fee rates in sat/vB, in mempool.space's words; `minimumFee` is the floor below which nothing relays. */
export interface FeeRates {
  fastestFee: number
  halfHourFee: number
  hourFee: number
  economyFee: number
  minimumFee: number
}

/** A quiet network. A regtest has no market, so the rates are set (`/devnet/fees`), not estimated. */
export const DEFAULT_FEE_RATES: FeeRates = {
  fastestFee: 5,
  halfHourFee: 3,
  hourFee: 2,
  economyFee: 1,
  minimumFee: 0.1,
}

/** Whole sat/vB, at least 1, as `/v1/fees/recommended` gives them. */
export function roundFeeRates(rates: FeeRates): FeeRates {
  const round = (rate: number) => Math.max(1, Math.ceil(rate))
  return {
    fastestFee: round(rates.fastestFee),
    halfHourFee: round(rates.halfHourFee),
    hourFee: round(rates.hourFee),
    economyFee: round(rates.economyFee),
    minimumFee: round(rates.minimumFee),
  }
}

const TARGETS = [...Array.from({ length: 25 }, (_, i) => i + 1), 144, 504, 1008]

/** Rates by confirmation target in blocks, as Esplora's `/fee-estimates` gives them. */
export function estimateByTarget(rates: FeeRates): Record<string, number> {
  return Object.fromEntries(
    TARGETS.map(target => {
      if (target <= 2) return [target, rates.fastestFee]
      if (target <= 5) return [target, rates.halfHourFee]
      return [target, target <= 12 ? rates.hourFee : rates.economyFee]
    }),
  )
}
