import { nameKind, readAddress, readHash } from '../codec/parameters.ts'
import type { AccessListEntry } from '../engine/transaction.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'

/** EIP-2930's list, as geth's JSON has it. */
export function readAccessList(value: unknown): AccessListEntry[] {
  if (!Array.isArray(value)) throw unreadable(value, 'types.AccessList')
  return value.map(entry => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      throw unreadable(entry, 'types.AccessTuple')
    }
    const { address, storageKeys } = entry as { address?: unknown; storageKeys?: unknown }
    if (address === undefined || address === null) {
      throw new ArgumentError("missing required field 'address' for AccessTuple")
    }
    if (!Array.isArray(storageKeys)) {
      throw new ArgumentError("missing required field 'storageKeys' for AccessTuple")
    }
    return { address: readAddress(address), storageKeys: storageKeys.map(readHash) }
  })
}

function unreadable(value: unknown, type: string): ArgumentError {
  return new ArgumentError(
    `json: cannot unmarshal ${nameKind(value)} into Go value of type ${type}`,
  )
}
