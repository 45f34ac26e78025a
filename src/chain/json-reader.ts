import { fromHex } from '../bitcoin/bytes.ts'

/** Readers for answers of servers, which are not trusted: anything unexpected is a {@link MalformedAnswerError} that names the field. */

export function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new MalformedAnswerError('something that is not JSON', { cause })
  }
}

export function readRecord(field: string, value: unknown): { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(field, 'an object')
  }
  return { ...value }
}

export function readArray(field: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw malformed(field, 'an array')
  return value
}

export function readBoolean(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw malformed(field, 'true or false')
  return value
}

export function readInteger(field: string, value: unknown, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > max) {
    throw malformed(field, `an integer from ${min} to ${max}`)
  }
  return Number(value)
}

export function readTxid(field: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) {
    throw malformed(field, 'a transaction id')
  }
  return value
}

/** A number above 0 and at most `max`, with fractions. */
export function readPositive(field: string, value: unknown, max: number): number {
  if (typeof value === 'number' && value > 0 && value <= max) return value
  throw malformed(field, `a number above 0, at most ${max}`)
}

/** Bytes in hex of any case, around which there may be white space. */
export function readBytes(field: string, value: unknown): Uint8Array {
  try {
    if (typeof value === 'string') return fromHex(value.trim())
  } catch {
    // Said below, as for everything else that is not hex.
  }
  throw malformed(field, 'hexadecimal bytes')
}

export function malformed(field: string, expected: string): MalformedAnswerError {
  return new MalformedAnswerError(`an answer in which ${field} is not ${expected}`)
}

/** An answer that cannot be used; the message says what the server sent. */
export class MalformedAnswerError extends Error {
  override name = 'MalformedAnswerError'
}
