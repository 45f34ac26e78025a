import { MAX_SATS } from '../../bitcoin/amount.ts'
import { fromHex } from '../../bitcoin/bytes.ts'

/** Readers for answers of servers, which are not trusted: anything unexpected is a {@link MalformedAnswerError} that names the field. */

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new MalformedAnswerError('something that is not JSON', { cause })
  }
}

/** As {@link parseJson}, but integers that a number does not hold exactly are their digits, as text. */
export function parseExactJson(body: string): unknown {
  const value = parseJson(body)
  if (!/\d{16}/.test(body)) return value
  try {
    // On what is known to be JSON, this takes time in proportion to its length.
    return JSON.parse(body.replace(STRING_OR_NUMBER, quoteIfInexact))
  } catch (cause) {
    throw new MalformedAnswerError('something too large to be read', { cause })
  }
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

function quoteIfInexact(token: string): string {
  const isInteger = /^-?\d+$/.test(token)
  return isInteger && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token
}

/** A copy of the own members of a JSON object. */
export function parseRecord(field: string, value: unknown): { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(field, 'an object')
  }
  return { ...value }
}

export function parseArray(field: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw malformed(field, 'an array')
  return value
}

export function parseBoolean(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw malformed(field, 'true or false')
  return value
}

export function parseInteger(field: string, value: unknown, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > max) {
    throw malformed(field, `an integer from ${min} to ${max}`)
  }
  return Number(value)
}

/** An integer from `min` to `max`, as a number or as its digits. */
export function parseBigint(field: string, value: unknown, min: bigint, max: bigint): bigint {
  const isDigits = typeof value === 'string' && /^\d{1,40}$/.test(value)
  const read = isDigits || Number.isSafeInteger(value) ? BigInt(String(value)) : null
  if (read === null || read < min || read > max) {
    throw malformed(field, `an integer from ${min} to ${max}`)
  }
  return read
}

/** Sats from 0 to 21 million bitcoin. */
export function parseSats(field: string, value: unknown): bigint {
  return BigInt(parseInteger(field, value, 0, Number(MAX_SATS)))
}

/** Blocks of two thousand years. */
export function parseHeight(field: string, value: unknown): number {
  return parseInteger(field, value, 0, 100_000_000)
}

/** Seconds until 9999-12-31, as milliseconds. */
export function parseTime(field: string, value: unknown): number {
  return parseInteger(field, value, 0, 253_402_300_799) * 1000
}

export function parseText(field: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || value.length > maxLength) {
    throw malformed(field, `a text of at most ${maxLength} characters`)
  }
  return value
}

/** What `read` makes of anything but null and undefined. */
export function parseNullable<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value)
}

/** 64 digits of hex in lower case. */
export function parseTxid(field: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) {
    throw malformed(field, 'a transaction id')
  }
  return value
}

/** A number above 0 and at most `max`, with fractions. */
export function parsePositive(field: string, value: unknown, max: number): number {
  if (typeof value === 'number' && value > 0 && value <= max) return value
  throw malformed(field, `a number above 0, at most ${max}`)
}

/** Bytes in hex of any case, around which there may be white space. */
export function parseBytes(field: string, value: unknown): Uint8Array {
  try {
    if (typeof value === 'string') return fromHex(value.trim())
  } catch {
    // Said below, as for everything else that is not hex.
  }
  throw malformed(field, 'hexadecimal bytes')
}

/** `expected` follows the words "is not" in the message. */
export function malformed(field: string, expected: string): MalformedAnswerError {
  return new MalformedAnswerError(`an answer in which ${field} is not ${expected}`)
}

/** An answer that cannot be used; the message says what the server sent. */
export class MalformedAnswerError extends Error {
  override name = 'MalformedAnswerError'
}
