import { ArgumentError, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { readField, readFields } from './fields.ts'
import type { Hex } from './hex.ts'
import { readQuantity, readUint64 } from './parameters.ts'
import {
  readTransactionArguments,
  TRANSACTION_ARGUMENTS,
  type TransactionArguments,
} from './transaction-arguments.ts'

/** What is to be sent; what is null is for the node to choose, but `to`, without which it creates a contract. */
export interface SendObject extends TransactionArguments {
  readonly from: Hex
  /** Null for a creation alone, whose gas is for the node to estimate; all else has the specification's default. */
  readonly gas: bigint | null
  readonly value: bigint
  readonly nonce: bigint | null
  readonly chainId: bigint | null
}

/** The specification's; geth has estimated all gas since 1.9. Hardly a creation could do with it. */
const DEFAULT_GAS = 90_000n

/**
 * Reads the specification's Send-transaction object. Fields may be null as well as missing, and others are passed over.
 * `gas` may be called `gasLimit`, as in the specification's sample, and `data` `input`; `value` may be missing, as all
 * clients leave out a zero. Throws `ArgumentError`, and `RpcError` where the fields do not fit together.
 */
export function readSendObject(value: unknown): SendObject {
  const fields = readFields(value, `ethapi.${TRANSACTION_ARGUMENTS}`)
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, TRANSACTION_ARGUMENTS, name, read)
  const found = readTransactionArguments(fields)
  const { from, to, gas, input } = found
  if (from === null) throw new ArgumentError('missing field from: the address of the sender')
  const gasLimit = find('gasLimit', readUint64)
  if (gas !== null && gasLimit !== null && gas !== gasLimit) {
    throw new ArgumentError('both gas and gasLimit are set and not equal')
  }
  if (found.authorizationList !== null) {
    throw new RpcError(
      SERVER_ERROR,
      'authorizationList is not supported here: sign the transaction and use eth_sendRawTransaction',
    )
  }
  if (to === null && input.length === 0) {
    throw new RpcError(SERVER_ERROR, 'contract creation without any data provided')
  }
  return {
    ...found,
    from,
    gas: gas ?? gasLimit ?? (to === null ? null : DEFAULT_GAS),
    value: found.value ?? 0n,
    nonce: find('nonce', readUint64),
    chainId: find('chainId', readQuantity),
  }
}
