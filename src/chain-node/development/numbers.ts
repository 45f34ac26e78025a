import { readUint64 } from '../codec/parameters.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'

/** A number of JSON or a QUANTITY, of at most 64 bits. */
export function readCount(value: unknown): bigint {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return BigInt(value)
    throw new ArgumentError(`expected a whole number from zero on, and found ${value}`)
  }
  return readUint64(value)
}
