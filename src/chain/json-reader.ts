import { BackendUnavailableError } from './chain-source.ts'

/** Readers for answers of servers, which are not trusted: anything unexpected is a BackendUnavailableError that names the field. */

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

function malformed(field: string, expected: string): BackendUnavailableError {
  return new BackendUnavailableError(
    `The server's answer is not usable: ${field} is not ${expected}.`,
  )
}
