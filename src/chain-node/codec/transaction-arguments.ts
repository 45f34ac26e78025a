import type { AccessListEntry, Authorization } from '../engine/transaction.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { readAccessList } from './access-list.ts'
import { readAuthorizationList } from './authorization-list.ts'
import { type Fields, readField } from './fields.ts'
import type { Hex } from './hex.ts'
import { readAddress, readData, readQuantity, readUint64 } from './parameters.ts'

/** What a call and a transaction to be sent have in common; null for what is missing. */
export interface TransactionArguments {
  readonly from: Hex | null
  readonly to: Hex | null
  readonly gas: bigint | null
  readonly gasPrice: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly value: bigint | null
  readonly input: Uint8Array
  readonly accessList: readonly AccessListEntry[] | null
  readonly authorizationList: readonly Authorization[] | null
}

/** Go's name, for the texts of errors. */
export const TRANSACTION_ARGUMENTS = 'TransactionArgs'

/** Throws `ArgumentError`, and `RpcError` where the fields do not fit together. */
export function readTransactionArguments(fields: Fields): TransactionArguments {
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, TRANSACTION_ARGUMENTS, name, read)
  const found: TransactionArguments = {
    from: find('from', readAddress),
    to: find('to', readAddress),
    gas: find('gas', readUint64),
    gasPrice: find('gasPrice', readQuantity),
    maxFeePerGas: find('maxFeePerGas', readQuantity),
    maxPriorityFeePerGas: find('maxPriorityFeePerGas', readQuantity),
    value: find('value', readQuantity),
    input: chooseInput(find('data', readData), find('input', readData)),
    accessList: find('accessList', readAccessList),
    authorizationList: find('authorizationList', readAuthorizationList),
  }
  if (found.gasPrice !== null && (found.maxFeePerGas ?? found.maxPriorityFeePerGas) !== null) {
    throw refuse('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
  return found
}

/** geth's older `data` and newer `input` mean the same. */
function chooseInput(data: Uint8Array | null, input: Uint8Array | null): Uint8Array {
  if (data && input && Buffer.compare(data, input) !== 0) {
    throw refuse(
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    )
  }
  return input ?? data ?? new Uint8Array()
}

function refuse(message: string): RpcError {
  return new RpcError(SERVER_ERROR, message)
}
