/** What a text is not: an amount of a rune. */
export type RuneAmountFault = 'malformed' | 'zero' | 'too-precise' | 'too-large'

export class InvalidRuneAmountError extends Error {
  override name = 'InvalidRuneAmountError'
  readonly reason: RuneAmountFault
  constructor(reason: RuneAmountFault) {
    super(`not an amount of a rune: ${reason}`)
    this.reason = reason
  }
}

const U128 = 2n ** 128n - 1n
/** Digits before the point and behind it that any amount of 128 bits has at most. */
const DECIMAL = /^(\d{1,39})(?:\.(\d{1,38}))?$/

/** In whole runes, every digit that counts: 12.5 for 125 at divisibility 1. */
export function formatRuneAmount(amount: bigint, divisibility: number): string {
  const digits = String(amount).padStart(divisibility + 1, '0')
  const point = digits.length - divisibility
  const decimals = digits.slice(point).replace(/0+$/, '')
  return decimals === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${decimals}`
}

/** An amount above 0 of whole runes, in the smallest unit. Throws {@link InvalidRuneAmountError}. */
export function parseRuneAmount(text: string, divisibility: number): bigint {
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) throw new InvalidRuneAmountError('malformed')
  const counted = decimals.replace(/0+$/, '')
  if (counted.length > divisibility) throw new InvalidRuneAmountError('too-precise')
  const amount = BigInt(whole + counted.padEnd(divisibility, '0'))
  if (amount === 0n) throw new InvalidRuneAmountError('zero')
  if (amount > U128) throw new InvalidRuneAmountError('too-large')
  return amount
}
