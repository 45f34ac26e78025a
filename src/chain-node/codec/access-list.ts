import type { AccessListEntry } from '../engine/transaction.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'
import { readArray, readField, readFields } from './fields.ts'
import { readAddress, readHash } from './parameters.ts'

/** EIP-2930's list, as geth's JSON has it. */
export function readAccessList(value: unknown): AccessListEntry[] {
  return readArray(value, 'types.AccessList').map(entry => {
    const fields = readFields(entry, 'types.AccessTuple')
    return {
      address: requireField('address', readField(fields, 'AccessTuple', 'address', readAddress)),
      storageKeys: requireField(
        'storageKeys',
        readField(fields, 'AccessTuple', 'storageKeys', readHashes),
      ),
    }
  })
}

function readHashes(value: unknown) {
  return readArray(value, '[]common.Hash').map(readHash)
}

function requireField<T>(name: string, value: T | null): T {
  if (value !== null) return value
  throw new ArgumentError(`missing required field '${name}' for AccessTuple`)
}
