import { toChecksumAddress } from '@ethereumjs/util'
import type { AccountOverride, CallMessage, StateOverrides } from '../engine/engine.ts'
import type { AccessListEntry } from '../engine/transaction.ts'
import { ArgumentError, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { encodeHex, type Hex } from './hex.ts'
import {
  nameKind,
  readAddress,
  readData,
  readHash,
  readQuantity,
  readUint64,
} from './parameters.ts'

/** For a call without a sender. */
const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`
const NO_BYTES = new Uint8Array(0)

type Fields = { readonly [name: string]: unknown }

/** The call object of eth_call and eth_estimateGas. Fields that are not known are ignored, and null is as good as missing. */
export function readCallObject(value: unknown): CallMessage {
  const fields = readObject(value, 'ethapi.TransactionArgs')
  const field = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'TransactionArgs', name, read)
  const gas = field('gas', readUint64)
  const gasPrice = field('gasPrice', readQuantity)
  const maxFeePerGas = field('maxFeePerGas', readQuantity)
  const maxPriorityFeePerGas = field('maxPriorityFeePerGas', readQuantity)
  const accessList = field('accessList', readAccessList)
  if (gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
    throw new RpcError(
      SERVER_ERROR,
      'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
    )
  }
  return {
    from: field('from', readAddress) ?? ZERO_ADDRESS,
    to: field('to', readAddress) ?? null,
    value: field('value', readQuantity) ?? 0n,
    input: chooseInput(field('data', readData), field('input', readData)),
    ...(gas !== undefined && { gas }),
    ...(gasPrice !== undefined && { gasPrice }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas }),
    ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas }),
    ...(accessList !== undefined && { accessList }),
  }
}

/** The state override set: accounts that have other values while a call runs. */
export function readStateOverrides(value: unknown): StateOverrides {
  const overrides = new Map<Hex, AccountOverride>()
  for (const [key, account] of Object.entries(readObject(value, 'override.StateOverride'))) {
    const address = readAddress(key)
    overrides.set(address, readAccountOverride(address, account))
  }
  return overrides
}

function readAccountOverride(address: Hex, value: unknown): AccountOverride {
  const fields = readObject(value ?? {}, 'override.OverrideAccount')
  const field = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'OverrideAccount', name, read)
  const balance = field('balance', readQuantity)
  const nonce = field('nonce', readUint64)
  const code = field('code', readData)
  const state = field('state', readSlots)
  const stateDiff = field('stateDiff', readSlots)
  if (state !== undefined && stateDiff !== undefined) {
    const text = `account ${toChecksumAddress(address)} has both 'state' and 'stateDiff'`
    throw new RpcError(SERVER_ERROR, text)
  }
  return {
    ...(balance !== undefined && { balance }),
    ...(nonce !== undefined && { nonce }),
    ...(code !== undefined && { code }),
    ...(state !== undefined && { state }),
    ...(stateDiff !== undefined && { stateDiff }),
  }
}

function readSlots(value: unknown): ReadonlyMap<Hex, Hex> {
  const slots = new Map<Hex, Hex>()
  for (const [slot, word] of Object.entries(readObject(value, 'map[common.Hash]common.Hash'))) {
    slots.set(readHash(slot), readHash(word))
  }
  return slots
}

/** geth's older `data` and newer `input` mean the same. */
function chooseInput(data: Uint8Array | undefined, input: Uint8Array | undefined): Uint8Array {
  if (data !== undefined && input !== undefined && encodeHex(data) !== encodeHex(input)) {
    throw new RpcError(
      SERVER_ERROR,
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    )
  }
  return input ?? data ?? NO_BYTES
}

function readAccessList(value: unknown): AccessListEntry[] {
  return readArray(value, 'types.AccessList').map(entry => {
    const fields = readObject(entry, 'types.AccessTuple')
    const address = readField(fields, 'AccessTuple', 'address', readAddress)
    if (address === undefined) {
      throw new ArgumentError("missing required field 'address' for AccessTuple")
    }
    const keys = readField(fields, 'AccessTuple', 'storageKeys', list =>
      readArray(list, '[]common.Hash').map(readHash),
    )
    return { address, storageKeys: keys ?? [] }
  })
}

/** Names the field where the text has none, as Go does. */
function readField<T>(
  fields: Fields,
  owner: string,
  name: string,
  read: (value: unknown) => T,
): T | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw new ArgumentError(
      error.message.replace('Go value of type', `Go struct field ${owner}.${name} of type`),
    )
  }
}

function readObject(value: unknown, type: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new ArgumentError(`json: cannot unmarshal ${nameKind(value)} into Go value of type ${type}`)
}

function readArray(value: unknown, type: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new ArgumentError(`json: cannot unmarshal ${nameKind(value)} into Go value of type ${type}`)
}
