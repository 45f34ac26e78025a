/** All the sats that can ever be: 21 million BTC. */
export const MAX_SATS = 2_100_000_000_000_000n

/** An amount that is not what `expected` says. */
export class InvalidAmountError extends Error {
  override name = 'InvalidAmountError'
  readonly expected: string
  constructor(expected: string) {
    super(`amount: expected ${expected}`)
    this.expected = expected
  }
}

const SATS_EXPECTED = 'a whole number of sats from 1 to 2100000000000000'
const BTC_EXPECTED = 'BTC from 0.00000001 to 21000000 with at most 8 decimals'

/** Sats from a safe integer, a bigint or a string of decimal digits without leading zeros; throws {@link InvalidAmountError}. */
export function parseSats(value: unknown): bigint {
  const sats = readWholeNumber(value)
  if (sats === null || sats < 1n || sats > MAX_SATS) throw new InvalidAmountError(SATS_EXPECTED)
  return sats
}

/**
 * Sats from an amount in BTC, exactly. A string has decimal digits, a point before at most eight decimals (`.5` is 0.5),
 * and commas between all its thousands or none: `1,234.5`. A comma is never a decimal sign: `1,234` is 1234 BTC, and `1,23`
 * is refused, as are signs, blanks, exponents, superfluous zeros in front, and a point without decimals. A number means the
 * decimal that JavaScript writes for it, so 1e-8 is one sat, and 0.1 + 0.2 is refused for its 17 decimals. Throws
 * {@link InvalidAmountError}.
 */
export function parseBtc(value: unknown): bigint {
  const text = typeof value === 'number' ? writeDecimal(value) : value
  const match = typeof text === 'string' ? BTC.exec(text) : null
  const digits = match && `${match[1]?.replaceAll(',', '') ?? ''}${(match[2] ?? '').padEnd(8, '0')}`
  const sats = digits === null ? 0n : BigInt(digits)
  if (sats < 1n || sats > MAX_SATS) throw new InvalidAmountError(BTC_EXPECTED)
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

/** Whole BTC and decimals, at least one of them; no more than eight digits of BTC. */
const BTC = /^(?=\.?\d)(0|[1-9]\d{0,7}|[1-9]\d{0,2}(?:,\d{3}){1,2})?(?:\.(\d{1,8}))?$/

/** A number as JavaScript writes it, but never with an exponent where it is small: 1.5e-7 is `0.00000015`. */
function writeDecimal(value: number): string {
  const text = String(value)
  const [, whole, decimals = '', exponent] = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? []
  return whole ? `0.${'0'.repeat(Number(exponent) - 1)}${whole}${decimals}` : text
}
