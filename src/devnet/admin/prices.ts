/** What one bitcoin costs by currency, in mempool.space's shape; -1 where it has no price. */
export interface Prices {
  [currency: string]: number
}

/** Coins of a regtest are worth nothing: these are set (`/devnet/prices`), so that a wallet has something to show. */
export const DEFAULT_PRICES: Readonly<Prices> = {
  USD: 100_000,
  EUR: 90_000,
  GBP: 75_000,
  CAD: 140_000,
  CHF: 80_000,
  AUD: 150_000,
  JPY: 15_000_000,
}
