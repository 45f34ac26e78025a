/** BRC-20 has eighteen digits after the point at most. */
export const BRC20_DECIMALS = 18

const UNIT = 10n ** BigInt(BRC20_DECIMALS)

/** Whole tokens in the largest amount. */
const MAX_WHOLE = 2n ** 64n - 1n

/** The largest amount that indexers take. */
export const MAX_BRC20_AMOUNT = MAX_WHOLE * UNIT

/**
 * An amount as BRC-20 writes it, scaled by 10^18. Throws {@link InvalidBrc20Error} for what indexers do not take: anything
 * but digits with at most `decimals` more after a point, zero, and more than 2^64 - 1.
 */
export function parseBrc20Amount(text: string, decimals: number = BRC20_DECIMALS): bigint {
  return parseBrc20Field('amt', text, decimals)
}

/** As {@link parseBrc20Amount}, of a field that the error is to name. */
export function parseBrc20Field(field: string, text: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) {
    throw new InvalidBrc20Error('not-a-number', field, 'digits, with a point between them at most')
  }
  if (fraction.length > decimals) {
    throw new InvalidBrc20Error('too-precise', field, `at most ${decimals} digits after the point`)
  }
  // Before it is read: a number of a million digits takes seconds.
  const digits = whole.replace(/^0+/, '')
  const amount =
    digits.length > 20 ? null : BigInt(digits + fraction.padEnd(BRC20_DECIMALS, '0') || '0')
  if (amount === null || amount > MAX_BRC20_AMOUNT) {
    throw new InvalidBrc20Error('too-large', field, `at most ${MAX_WHOLE}`)
  }
  if (amount === 0n) throw new InvalidBrc20Error('zero', field, 'more than zero')
  return amount
}

/** Decimal text of an amount that is scaled by 10^18, without trailing zeros. */
export function formatBrc20Amount(amount: bigint): string {
  const fraction = (amount % UNIT).toString().padStart(BRC20_DECIMALS, '0').replace(/0+$/, '')
  return fraction === '' ? `${amount / UNIT}` : `${amount / UNIT}.${fraction}`
}

/** Why indexers pass over an inscription that is meant as BRC-20. */
export type Brc20Fault =
  | 'content-type'
  | 'not-utf8'
  | 'not-json'
  | 'not-an-object'
  | 'repeated'
  | 'protocol'
  | 'operation'
  | 'missing'
  | 'not-text'
  | 'ticker'
  | 'needs-predeploy'
  | 'not-a-number'
  | 'zero'
  | 'too-large'
  | 'too-precise'
  | 'decimals'
  | 'self-mint'

/** Indexers would not count it; `field` of the JSON and what was expected there, or of the whole where it is null. */
export class InvalidBrc20Error extends Error {
  override name = 'InvalidBrc20Error'
  readonly reason: Brc20Fault
  readonly field: string | null
  readonly expected: string
  constructor(reason: Brc20Fault, field: string | null, expected: string, options?: ErrorOptions) {
    super(`BRC-20${field === null ? '' : `, ${field}`}: expected ${expected}`, options)
    this.reason = reason
    this.field = field
    this.expected = expected
  }
}
