/** Decimals of every amount inside, whatever a token shows. */
export const MOST_DECIMALS = 18
export const UNIT = 10n ** BigInt(MOST_DECIMALS)
export const MOST_AMOUNT = (2n ** 64n - 1n) * UNIT

/** The amount that a text names, times 10^18; null for what is no plain decimal number, has more decimals than `decimals`, or is above 2^64-1. */
export function parseTokenAmount(text: unknown, decimals: number): bigint | null {
  if (typeof text !== 'string') return null
  const [, whole, fraction = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  const amount = BigInt(whole + fraction.padEnd(MOST_DECIMALS, '0'))
  return amount > MOST_AMOUNT ? null : amount
}

/** With exactly `decimals` decimals; the point is left out where there are none. */
export function formatFixed(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(MOST_DECIMALS + 1, '0')
  const whole = digits.slice(0, -MOST_DECIMALS)
  const fraction = digits.slice(-MOST_DECIMALS).slice(0, decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Without zeros at the end. */
export function formatShort(amount: bigint): string {
  return formatFixed(amount, MOST_DECIMALS).replace(/\.?0+$/, '')
}
