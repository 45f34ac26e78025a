import {
  BRC20_DECIMALS,
  formatBrc20Amount,
  InvalidBrc20Error,
  parseBrc20Amount,
} from '../../../ordinals/brc20/brc20-amount.ts'
import { countWords, words } from '../../platform/words.ts'
import { formatRuneAmount } from './asset-names.ts'
import { plainNumber } from './typed-number.ts'

/** What a typed amount is read against; null where it is not known. */
export type TokenAmountContext = {
  decimals: number | null
  /** At most so much, as the server says. */
  most: string | null
}

/** An amount of tokens as it is inscribed, or why what was typed is none, in words. */
export function parseTokenAmount(
  typed: string,
  { decimals, most }: TokenAmountContext,
): { amount: string } | { error: string } {
  const text = plainNumber(typed)
  if (text === '') return { error: words('brc20AmountMissing') }
  // It means thousands to some people and decimals to others.
  if (text.includes(',')) return { error: words('sendAmountComma') }
  try {
    const amount = parseBrc20Amount(text, decimals ?? undefined)
    if (most !== null && (most === '0' || amount > parseBrc20Amount(most)))
      return { error: words('brc20AmountTooMuch', { most: formatRuneAmount(most) }) }
    return { amount: formatBrc20Amount(amount) }
  } catch (error) {
    if (!(error instanceof InvalidBrc20Error)) throw error
    return { error: explainAmount(error, decimals) }
  }
}

function explainAmount({ reason }: InvalidBrc20Error, decimals: number | null): string {
  if (reason === 'zero') return words('brc20AmountZero')
  if (reason === 'too-large') return words('brc20AmountTooLarge')
  if (reason !== 'too-precise') return words('brc20AmountInvalid')
  return decimals === 0
    ? words('brc20AmountWhole')
    : countWords('brc20AmountTooPrecise', decimals ?? BRC20_DECIMALS)
}

/** The sum of amounts as servers tell them, such as what is available and what is transferable. */
export function sumTokenAmounts(amounts: readonly string[]): string {
  const scaled = amounts.map(amount => (isZero(amount) ? 0n : parseBrc20Amount(amount)))
  return formatBrc20Amount(scaled.reduce((sum, part) => sum + part, 0n))
}

/** `amount` so many times. */
export function multiplyTokenAmount(amount: string, times: number): string {
  return formatBrc20Amount(parseBrc20Amount(amount) * BigInt(times))
}

/** What is left of `whole` after `part`; zero where nothing is. */
export function subtractTokenAmount(whole: string, part: string): string {
  if (isZero(whole)) return '0'
  const left = parseBrc20Amount(whole) - (isZero(part) ? 0n : parseBrc20Amount(part))
  return formatBrc20Amount(left < 0n ? 0n : left)
}

export function isZero(amount: string): boolean {
  return /^[0.]*$/.test(amount)
}
