/** All the sats that can ever be: 21 million BTC. */
export const MAX_SATS = 2_100_000_000_000_000n

/** An amount that is not a whole number of sats from 1 to 21 million BTC. */
export class InvalidAmountError extends Error {
  override name = 'InvalidAmountError'
  readonly expected = 'a whole number of sats from 1 to 2100000000000000'
  constructor() {
    super('amount: expected a whole number of sats from 1 to 2100000000000000')
  }
}

/** Sats from a safe integer, a bigint or a string of decimal digits without leading zeros; throws {@link InvalidAmountError}. */
export function parseSats(value: unknown): bigint {
  const sats = readWholeNumber(value)
  if (sats === null || sats < 1n || sats > MAX_SATS) throw new InvalidAmountError()
  return sats
}

/** BTC with all eight decimals: `0.01020400`; negative amounts have a minus sign. */
export function formatBtc(sats: bigint): string {
  const digits = (sats < 0n ? -sats : sats).toString().padStart(9, '0')
  return `${sats < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

function readWholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null
  return typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? BigInt(value) : null
}
