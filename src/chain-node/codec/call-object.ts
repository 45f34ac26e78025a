import { toChecksumAddress } from '@ethereumjs/util'
import type { AccountOverride, CallMessage, StateOverrides } from '../engine/engine.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { type Fields, readField, readFields, readObject } from './fields.ts'
import type { Hex } from './hex.ts'
import { readAddress, readData, readHash, readQuantity, readUint64 } from './parameters.ts'
import { readTransactionArguments, TRANSACTION_ARGUMENTS } from './transaction-arguments.ts'

/** For a call without a sender. */
const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`

/** The call object of eth_call and eth_estimateGas. Fields that are not known are ignored, and null is as good as missing. */
export function readCallObject(value: unknown): CallMessage {
  return readCallFields(readFields(value, `ethapi.${TRANSACTION_ARGUMENTS}`))
}

export function readCallFields(fields: Fields): CallMessage {
  const { from, to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList, ...others } =
    readTransactionArguments(fields)
  return {
    from: from ?? ZERO_ADDRESS,
    to,
    value: others.value ?? 0n,
    input: others.input,
    ...(gas !== null && { gas }),
    ...(gasPrice !== null && { gasPrice }),
    ...(maxFeePerGas !== null && { maxFeePerGas }),
    ...(maxPriorityFeePerGas !== null && { maxPriorityFeePerGas }),
    ...(accessList !== null && { accessList }),
    ...(others.authorizationList !== null && { authorizationList: others.authorizationList }),
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
  const fields = readFields(value ?? {}, 'override.OverrideAccount')
  const field = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'OverrideAccount', name, read)
  const balance = field('balance', readQuantity)
  const nonce = field('nonce', readUint64)
  const code = field('code', readData)
  const state = field('state', readSlots)
  const stateDiff = field('stateDiff', readSlots)
  const movePrecompileTo = field('movePrecompileToAddress', readAddress)
  if (state !== null && stateDiff !== null) {
    const text = `account ${toChecksumAddress(address)} has both 'state' and 'stateDiff'`
    throw new RpcError(SERVER_ERROR, text)
  }
  return {
    ...(balance !== null && { balance }),
    ...(nonce !== null && { nonce }),
    ...(code !== null && { code }),
    ...(state !== null && { state }),
    ...(stateDiff !== null && { stateDiff }),
    ...(movePrecompileTo !== null && { movePrecompileTo }),
  }
}

function readSlots(value: unknown): ReadonlyMap<Hex, Hex> {
  const slots = new Map<Hex, Hex>()
  for (const [slot, word] of Object.entries(readObject(value, 'map[common.Hash]common.Hash'))) {
    slots.set(readHash(slot), readHash(word))
  }
  return slots
}
