import { invalidParams } from '../../provider/errors.ts'

/** A transaction id from a page of ours. Throws -32602. */
export function parseTxid(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value
  throw invalidParams('txid', value, 'a transaction id')
}
