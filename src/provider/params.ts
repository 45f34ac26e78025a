import { parseSats } from '../bitcoin/amount.ts'
import { parseFeeRate } from '../bitcoin/fee-rate.ts'
import { invalidParams } from './errors.ts'

/** Readers of single parameters; each throws -32602 that names the field. */

export function readString(field: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw invalidParams(field, value, 'a string')
  if (value.length > maxLength) {
    throw invalidParams(field, value, `at most ${maxLength} characters`)
  }
  return value
}

/** Even-length hex without prefix; resolves to lower case. */
export function readHex(field: string, value: unknown, maxLength: number): string {
  const text = readString(field, value, maxLength)
  if (text.length === 0 || text.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(text)) {
    throw invalidParams(field, value, 'hexadecimal bytes')
  }
  return text.toLowerCase()
}

/** Options objects: absent members and `undefined` read the same; unknown members are ignored. */
export function readOptions(field: string, value: unknown): { [key: string]: unknown } {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidParams(field, value, 'an object or nothing')
  }
  return { ...value }
}

/** Sats as a number, a decimal string or a bigint. */
export function readSats(field: string, value: unknown): bigint {
  try {
    return parseSats(value)
  } catch (cause) {
    throw Object.assign(
      invalidParams(field, value, 'a whole number of satoshis from 1 to 2,100,000,000,000,000'),
      { cause },
    )
  }
}

/** sat/vB, or null when the page leaves the choice to the wallet. A number is rounded up to three decimals: 0.1 + 0.2 is one. */
export function readFeeRate(field: string, value: unknown): number | null {
  if (value === undefined || value === null) return null
  try {
    return parseFeeRate(typeof value === 'number' ? Math.ceil(value * 1000 - 1e-6) / 1000 : value)
  } catch (cause) {
    throw Object.assign(invalidParams(field, value, 'sat/vB from 0.1 to 10,000'), { cause })
  }
}
