import { InvalidAmountError, parseBtc, parseSats } from '../bitcoin/amount.ts'
import { toUtf8 } from '../bitcoin/bytes.ts'
import { parseFeeRate } from '../bitcoin/fee-rate.ts'
import { MAX_MEMO_SIZE } from '../bitcoin/script.ts'
import { invalidParams } from './errors.ts'

/** Readers of single parameters; each throws -32602 that names the field. */

/** Absent members and null read the same. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

export function parseString(field: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw invalidParams(field, value, 'a string')
  if (value.length > maxLength) {
    throw invalidParams(field, value, `at most ${maxLength} characters`)
  }
  return value
}

/** Even-length hex without prefix; resolves to lower case. */
export function parseHex(field: string, value: unknown, maxLength: number): string {
  const text = parseString(field, value, maxLength)
  if (text.length === 0 || text.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(text)) {
    throw invalidParams(field, value, 'hexadecimal bytes')
  }
  return text.toLowerCase()
}

/** Options objects: absent members and `undefined` read the same; unknown members are ignored. */
export function parseOptions(field: string, value: unknown): { [key: string]: unknown } {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidParams(field, value, 'an object or nothing')
  }
  return { ...value }
}

/** A list; absent and null read as an empty one. */
export function parseList(field: string, value: unknown, most: number): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > most) {
    throw invalidParams(field, value, `a list of at most ${most}`)
  }
  return value
}

/** True or false, or null where it is absent. */
export function parseSwitch(field: string, value: unknown): boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw invalidParams(field, value, 'true or false')
  return value
}

/** Sats as a number, a decimal string or a bigint. */
export function parseSatsParam(field: string, value: unknown): bigint {
  return readAmount(field, value, parseSats)
}

/** Sats of an amount in BTC, exactly. */
export function parseBtcParam(field: string, value: unknown): bigint {
  return readAmount(field, value, parseBtc)
}

function readAmount(field: string, value: unknown, parse: (value: unknown) => bigint): bigint {
  try {
    return parse(value)
  } catch (cause) {
    if (!(cause instanceof InvalidAmountError)) throw cause
    throw Object.assign(invalidParams(field, value, cause.expected), { cause })
  }
}

/** Text of 1 to 80 bytes in UTF-8. */
export function parseMemo(field: string, value: unknown): string {
  const text = parseString(field, value, MAX_MEMO_SIZE)
  const size = text.isWellFormed() ? toUtf8(text).length : 0
  if (size < 1 || size > MAX_MEMO_SIZE) {
    throw invalidParams(field, value, `text of 1 to ${MAX_MEMO_SIZE} bytes in UTF-8`)
  }
  return text
}

/** A whole number from 0. */
export function parseIndex(field: string, value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most)
    return value
  throw invalidParams(field, value, `a whole number from 0 to ${most}`)
}

/** sat/vB, or null when the page leaves the choice to the wallet. A number is rounded up to three decimals: 0.1 + 0.2 is one. */
export function parseFeeRateParam(field: string, value: unknown): number | null {
  if (value === undefined || value === null) return null
  try {
    return parseFeeRate(typeof value === 'number' ? Math.ceil(value * 1000 - 1e-6) / 1000 : value)
  } catch (cause) {
    throw Object.assign(invalidParams(field, value, 'sat/vB from 0.1 to 10,000'), { cause })
  }
}
