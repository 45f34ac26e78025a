import { BRC20_DECIMALS, MAX_BRC20_AMOUNT } from '../../ordinals/brc20/brc20-amount.ts'
import { countTickerBytes, foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { malformed, parseBigint, parseText } from '../access/json-reader.ts'

/** Readers for what servers of BRC-20 say; each throws MalformedAnswerError that names the field. */

/** In lower case, as indexers know them. */
export function parseTicker(field: string, value: unknown): string {
  const tick = foldTicker(parseText(field, value, 24))
  const bytes = countTickerBytes(tick)
  if (bytes < 4 || bytes > 12) throw malformed(field, 'a ticker')
  return tick
}

/** The ticker that was asked for. */
export function assertTicker(field: string, value: unknown, tick: string): void {
  if (parseTicker(field, value) !== tick) throw malformed(field, 'the one asked for')
}

/** An amount in units of 10^-18. */
export function parseUnits(field: string, value: unknown): bigint {
  return parseBigint(field, value, 0n, MAX_BRC20_AMOUNT)
}

/** A decimal amount with as many digits after the point as BRC-20 has; zero too. */
export function parseDecimal(field: string, value: unknown): bigint {
  const text = parseText(field, value, 60)
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) throw malformed(field, 'a decimal amount')
  return parseUnits(field, whole + fraction.padEnd(BRC20_DECIMALS, '0'))
}

export function parseInscription(field: string, value: unknown): InscriptionId {
  const id = parseText(field, value, 80)
  if (!parseInscriptionId(id)) throw malformed(field, 'an inscription id')
  return id
}
