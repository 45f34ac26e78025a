import type { Hex } from '../codec/hex.ts'
import { nameKind, readAddress, readData, readQuantity, readUint64 } from '../codec/parameters.ts'
import type { AccessListEntry } from '../engine/transaction.ts'
import { ArgumentError, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { readAccessList } from './access-list.ts'

/** What is to be sent; what is missing is for the node to choose. */
export interface SendObject {
  readonly from: Hex
  /** Null creates a contract. */
  readonly to: Hex | null
  readonly gas: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasPrice: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly nonce: bigint | null
  readonly chainId: bigint | null
  readonly accessList: readonly AccessListEntry[] | null
}

/** The specification's; geth has estimated it since 1.9. */
const DEFAULT_GAS = 90_000n

/**
 * Reads the specification's Send-transaction object. Fields may be null as well as missing, their names are taken in any
 * case, and other fields are passed over, as Go's JSON does for geth. `gas` may be called `gasLimit`, as in the
 * specification's sample, and `data` `input`; `value` may be missing, as all clients leave out a zero.
 * Throws `ArgumentError`, and `RpcError` where the fields do not fit together.
 */
export function readSendObject(value: unknown): SendObject {
  const fields = readFields(value)
  const find = <T>(name: string, read: (value: unknown) => T): T | null => {
    const field = fields.get(name.toLowerCase()) ?? null
    return field === null ? null : readField(name, field, read)
  }

  const from = find('from', readAddress)
  if (from === null) throw new ArgumentError('missing field from: the address of the sender')
  const gas = find('gas', readUint64)
  const gasLimit = find('gasLimit', readUint64)
  if (gas !== null && gasLimit !== null && gas !== gasLimit) {
    throw new ArgumentError('both gas and gasLimit are set and not equal')
  }
  const object: SendObject = {
    from,
    to: find('to', readAddress),
    gas: gas ?? gasLimit ?? DEFAULT_GAS,
    value: find('value', readQuantity) ?? 0n,
    input: chooseInput(find('data', readData), find('input', readData)),
    gasPrice: find('gasPrice', readQuantity),
    maxFeePerGas: find('maxFeePerGas', readQuantity),
    maxPriorityFeePerGas: find('maxPriorityFeePerGas', readQuantity),
    nonce: find('nonce', readUint64),
    chainId: find('chainId', readQuantity),
    accessList: find('accessList', readAccessList),
  }
  if (object.gasPrice !== null && (object.maxFeePerGas ?? object.maxPriorityFeePerGas) !== null) {
    throw refuse('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
  if (object.to === null && object.input.length === 0) {
    throw refuse('contract creation without any data provided')
  }
  return object
}

function chooseInput(data: Uint8Array | null, input: Uint8Array | null): Uint8Array {
  if (data && input && Buffer.compare(data, input) !== 0) {
    throw refuse(
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    )
  }
  return input ?? data ?? new Uint8Array()
}

/** The fields under their names in lower case. */
function readFields(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ArgumentError(
      `json: cannot unmarshal ${nameKind(value)} into Go value of type ethapi.TransactionArgs`,
    )
  }
  return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]))
}

/** Says in which field the fault is, as Go does. */
function readField<T>(name: string, value: unknown, read: (value: unknown) => T): T {
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    const place = `into Go struct field TransactionArgs.${name} of type`
    const text = error.message.replace('into Go value of type', place)
    throw new ArgumentError(text === error.message ? `field ${name}: ${text}` : text)
  }
}

function refuse(message: string): RpcError {
  return new RpcError(SERVER_ERROR, message)
}
