import type { Common } from '@ethereumjs/common'

/** What of a transaction or a call costs gas before anything runs. */
export interface Payload {
  readonly to: unknown
  readonly input: Uint8Array
  readonly accessList?: readonly { readonly storageKeys: readonly unknown[] }[]
  readonly authorizationList?: readonly unknown[]
}

/** Gas that is paid before anything runs (yellow paper 6.2; EIP-2028, EIP-2930, EIP-3860, EIP-7702). */
export function computeIntrinsicGas(common: Common, payload: Payload): bigint {
  const isCreation = payload.to === null
  const zeros = countZeros(payload.input)
  const dataGas =
    BigInt(zeros) * common.param('txDataZeroGas') +
    BigInt(payload.input.length - zeros) * common.param('txDataNonZeroGas')
  let gas = common.param('txGas') + dataGas
  if (isCreation && common.gteHardfork('homestead')) gas += common.param('txCreationGas')
  if (isCreation && common.isActivatedEIP(3860)) {
    gas += BigInt(Math.ceil(payload.input.length / 32)) * common.param('initCodeWordGas')
  }
  for (const entry of payload.accessList ?? []) {
    gas += common.param('accessListAddressGas')
    gas += BigInt(entry.storageKeys.length) * common.param('accessListStorageKeyGas')
  }
  const authorizations = payload.authorizationList?.length ?? 0
  if (authorizations > 0 && common.isActivatedEIP(7702))
    gas += BigInt(authorizations) * common.param('perEmptyAccountCost')
  return gas
}

/** Least gas that is paid whatever runs (EIP-7623); zero before Prague. */
export function computeFloorGas(common: Common, input: Uint8Array): bigint {
  if (!common.isActivatedEIP(7623)) return 0n
  const zeros = countZeros(input)
  const tokens = zeros + 4 * (input.length - zeros)
  return common.param('txGas') + BigInt(tokens) * common.param('totalCostFloorPerToken')
}

/** Gas of the blobs of a transaction (EIP-4844). */
export function countBlobGas(
  common: Common,
  transaction: { readonly blobVersionedHashes?: readonly unknown[] },
): bigint {
  const blobs = transaction.blobVersionedHashes?.length ?? 0
  return blobs === 0 ? 0n : BigInt(blobs) * common.param('blobGasPerBlob')
}

function countZeros(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte === 0) count++
  return count
}
