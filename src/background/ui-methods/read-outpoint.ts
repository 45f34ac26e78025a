import { formatOutpoint, parseOutpoint } from '../../bitcoin/outpoint.ts'
import { invalidParams } from '../../provider/errors.ts'

/** `txid:vout` from a page of ours. Throws -32602. */
export function parseOutpointParam(field: string, value: unknown): string {
  try {
    return formatOutpoint(parseOutpoint(String(value)))
  } catch (cause) {
    throw Object.assign(invalidParams(field, value, 'txid:vout'), { cause })
  }
}
