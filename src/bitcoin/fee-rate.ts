/** A fee rate outside 0.1 to 10,000 sat/vB, or with more than three decimals. */
export class InvalidFeeRateError extends RangeError {
  override name = 'InvalidFeeRateError'
  readonly expected = 'sat/vB from 0.1 to 10000 with at most 3 decimals'
  constructor() {
    super('fee rate: expected sat/vB from 0.1 to 10000 with at most 3 decimals')
  }
}

/** sat/vB from a number or a plain decimal string; throws {@link InvalidFeeRateError}. */
export function parseFeeRate(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^(?:0|[1-9]\d{0,4})(?:\.\d{1,3})?$/.test(text))
    throw new InvalidFeeRateError()
  const feeRate = Number(text)
  if (feeRate < 0.1 || feeRate > 10_000) throw new InvalidFeeRateError()
  return feeRate
}

/** The fee rate (sat/vB, rounded to three decimals) of a transaction of this fee and size. */
export function feeRateOf(fee: bigint, vsize: number): number {
  return Math.round((Number(fee) * 1000) / vsize) / 1000
}

/** The least whole sats that pay `feeRate` (sat/vB, at most three decimals) for a size; exact. */
export function feeForVsize(vsize: number, feeRate: number): bigint {
  return ceilDivide(BigInt(vsize) * toMilliSats(feeRate), 1000n)
}

/** Thousandths of a sat per vB. A double with at most three decimals is the nearest one to its decimal text, so rounding is exact. */
export function toMilliSats(feeRate: number): bigint {
  return BigInt(Math.round(feeRate * 1000))
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
