import type { Hex } from '../codec/hex.ts'

export interface AccessListEntry {
  readonly address: Hex
  readonly storageKeys: readonly Hex[]
}

/** EIP-7702: an account's leave to run the code of another. */
export interface Authorization {
  readonly chainId: bigint
  readonly address: Hex
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/** A signed transaction, decoded and with its sender. */
export interface Transaction {
  readonly hash: Hex
  /** 0 legacy, 1 EIP-2930, 2 EIP-1559, 3 EIP-4844, 4 EIP-7702. */
  readonly type: number
  /** Null for a legacy transaction without EIP-155. */
  readonly chainId: bigint | null
  readonly nonce: bigint
  readonly from: Hex
  /** Null creates a contract. */
  readonly to: Hex | null
  readonly value: bigint
  readonly gas: bigint
  /** Most that is paid for a unit of gas: `gasPrice`, or `maxFeePerGas` from type 2 on. */
  readonly gasPrice: bigint
  /** Only from type 2 on. */
  readonly maxPriorityFeePerGas?: bigint
  readonly input: Uint8Array
  readonly accessList?: readonly AccessListEntry[]
  readonly maxFeePerBlobGas?: bigint
  readonly blobVersionedHashes?: readonly Hex[]
  readonly authorizationList?: readonly Authorization[]
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
  /** As it stands in a block: RLP, or EIP-2718's envelope; without the blobs of EIP-4844. */
  readonly raw: Uint8Array
}

/** A transaction that is to be signed for the engine's chain: a legacy one with EIP-155, unless it has a field of a later type. */
export interface UnsignedTransaction {
  readonly nonce: bigint
  readonly to: Hex | null
  readonly value: bigint
  readonly gas: bigint
  /** `maxFeePerGas` where there is a `maxPriorityFeePerGas`. */
  readonly gasPrice: bigint
  /** Makes it one of EIP-1559. */
  readonly maxPriorityFeePerGas?: bigint
  /** Makes it one of EIP-2930 at least. */
  readonly accessList?: readonly AccessListEntry[]
  readonly input: Uint8Array
}
