import type { Authorization } from '../engine/transaction.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'
import { readArray, readField, readFields } from './fields.ts'
import { readAddress, readQuantity, readUint64 } from './parameters.ts'

/** EIP-7702's list, as geth's JSON has it. */
export function readAuthorizationList(value: unknown): Authorization[] {
  return readArray(value, '[]types.SetCodeAuthorization').map(entry => {
    const fields = readFields(entry, 'types.SetCodeAuthorization')
    const field = <T>(name: string, read: (value: unknown) => T): T => {
      const found = readField(fields, 'SetCodeAuthorization', name, read)
      if (found !== null) return found
      throw new ArgumentError(`missing required field '${name}' for SetCodeAuthorization`)
    }
    return {
      chainId: field('chainId', readQuantity),
      address: field('address', readAddress),
      nonce: field('nonce', readUint64),
      yParity: field('yParity', readQuantity),
      r: field('r', readQuantity),
      s: field('s', readQuantity),
    }
  })
}
