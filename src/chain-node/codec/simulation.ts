import type {
  SimulatedBlock,
  SimulatedBlockOverrides,
  SimulatedCall,
  SimulationOptions,
} from '../engine/engine.ts'
import { readBlockFields } from './block-overrides.ts'
import { readCallFields, readStateOverrides } from './call-object.ts'
import { readArray, readField, readFields } from './fields.ts'
import { readAddress, readBoolean, readHash, readQuantity, readUint64 } from './parameters.ts'

export interface Simulation {
  readonly blocks: readonly SimulatedBlock[]
  readonly options: SimulationOptions
  /** Whether transactions are shown with all their fields. */
  readonly fullTransactions: boolean
}

/** What eth_simulateV1 is to run. */
export function readSimulation(value: unknown): Simulation {
  const fields = readFields(value, 'ethapi.simOpts')
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'simOpts', name, read)
  return {
    blocks:
      find('blockStateCalls', list => readArray(list, '[]ethapi.simBlock').map(readBlock)) ?? [],
    options: {
      validation: find('validation', readBoolean) ?? false,
      traceTransfers: find('traceTransfers', readBoolean) ?? false,
    },
    fullTransactions: find('returnFullTransactions', readBoolean) ?? false,
  }
}

function readBlock(value: unknown): SimulatedBlock {
  const fields = readFields(value, 'ethapi.simBlock')
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'simBlock', name, read)
  return {
    overrides: find('blockOverrides', readOverrides) ?? {},
    stateOverrides: find('stateOverrides', readStateOverrides) ?? new Map(),
    calls: find('calls', list => readArray(list, '[]ethapi.TransactionArgs').map(readCall)) ?? [],
  }
}

function readOverrides(value: unknown): SimulatedBlockOverrides {
  const fields = readFields(value, 'override.BlockOverrides')
  const beaconRoot = readField(fields, 'BlockOverrides', 'beaconRoot', readHash)
  const withdrawals = readField(fields, 'BlockOverrides', 'withdrawals', list =>
    readArray(list, '[]*types.Withdrawal').map(readWithdrawal),
  )
  return {
    ...readBlockFields(fields),
    ...(beaconRoot !== null && { beaconRoot }),
    ...(withdrawals !== null && { withdrawals }),
  }
}

function readWithdrawal(value: unknown) {
  const fields = readFields(value, 'types.Withdrawal')
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'Withdrawal', name, read)
  return {
    index: find('index', readUint64) ?? 0n,
    validatorIndex: find('validatorIndex', readUint64) ?? 0n,
    address: find('address', readAddress) ?? (`0x${'0'.repeat(40)}` as const),
    amount: find('amount', readUint64) ?? 0n,
  }
}

function readCall(value: unknown): SimulatedCall {
  const fields = readFields(value, 'ethapi.TransactionArgs')
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'TransactionArgs', name, read)
  const nonce = find('nonce', readUint64)
  const chainId = find('chainId', readQuantity)
  const maxFeePerBlobGas = find('maxFeePerBlobGas', readQuantity)
  const blobVersionedHashes = find('blobVersionedHashes', list =>
    readArray(list, '[]common.Hash').map(readHash),
  )
  return {
    ...readCallFields(fields),
    ...(nonce !== null && { nonce }),
    ...(chainId !== null && { chainId }),
    ...(maxFeePerBlobGas !== null && { maxFeePerBlobGas }),
    ...(blobVersionedHashes !== null && { blobVersionedHashes }),
  }
}
