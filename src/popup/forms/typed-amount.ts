import { formatBtc, parseBtc, parseSats } from '../../bitcoin/amount.ts'
import { plainNumber } from '../ui/text/typed-number.ts'

export type Unit = 'btc' | 'sats'

/**
 * Sats of what was typed; null when it is no amount. Blanks between digits are passed over; a comma never is: it means
 * thousands to some people and decimals to others.
 */
export function parseAmount(text: string, unit: Unit): bigint | null {
  const digits = plainNumber(text)
  if (digits.includes(',')) return null
  try {
    return unit === 'btc' ? parseBtc(digits.replace(/\.$/, '')) : parseSats(digits)
  } catch {
    return null
  }
}

/** The same amount in the other unit; what is no amount stays as typed. */
export function convertAmount(text: string, from: Unit, to: Unit): string {
  const sats = parseAmount(text, from)
  if (sats === null) return text
  return to === 'sats' ? String(sats) : formatBtc(sats).replace(/\.?0+$/, '')
}
