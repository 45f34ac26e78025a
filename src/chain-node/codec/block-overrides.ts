import type { BlockOverrides } from '../engine/engine.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { type Fields, readField, readFields } from './fields.ts'
import { readAddress, readHash, readQuantity, readUint64 } from './parameters.ts'

const OWNER = 'BlockOverrides'

/** What geth takes in place of the values of a block; `readBlockOverrides` refuses those that only a simulation knows. */
export function readBlockFields(fields: Fields): BlockOverrides {
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, OWNER, name, read)
  const found = {
    number: find('number', readQuantity),
    difficulty: find('difficulty', readQuantity),
    timestamp: find('time', readUint64),
    gasLimit: find('gasLimit', readUint64),
    miner: find('feeRecipient', readAddress),
    mixHash: find('prevRandao', readHash),
    baseFeePerGas: find('baseFeePerGas', readQuantity),
    blobBaseFee: find('blobBaseFee', readQuantity),
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== null),
  ) as BlockOverrides
}

export function readBlockOverrides(value: unknown): BlockOverrides {
  const fields = readFields(value, `override.${OWNER}`)
  for (const name of ['beaconRoot', 'withdrawals']) {
    if ((fields.get(name.toLowerCase()) ?? null) === null) continue
    throw new RpcError(
      SERVER_ERROR,
      `block override "${name}" is not supported for this RPC method`,
    )
  }
  return readBlockFields(fields)
}
