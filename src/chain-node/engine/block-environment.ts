import type { EVMRunCallOpts } from '@ethereumjs/evm'
import { Address } from '@ethereumjs/util'
import { decodeHex, type Hex } from '../codec/hex.ts'
import { blobBaseFee } from './base-fee.ts'
import type { Header } from './block.ts'
import type { Rules } from './rules.ts'

/** What a block is to the transactions in it. */
export interface BlockEnvironment {
  readonly evmBlock: NonNullable<EVMRunCallOpts['block']>
  readonly miner: Address
  /** Zero before London. */
  readonly baseFee: bigint
  /** Zero before Cancun. */
  readonly blobGasPrice: bigint
}

export type EnvironmentHeader = Pick<
  Header,
  | 'number'
  | 'timestamp'
  | 'miner'
  | 'difficulty'
  | 'gasLimit'
  | 'mixHash'
  | 'baseFeePerGas'
  | 'excessBlobGas'
>

export function createBlockEnvironment(rules: Rules, header: EnvironmentHeader): BlockEnvironment {
  const { number, timestamp, difficulty, gasLimit, baseFeePerGas } = header
  const miner = toAddress(header.miner)
  const blobGasPrice = blobBaseFee(rules, header) ?? 0n
  return {
    evmBlock: {
      header: {
        number,
        timestamp,
        difficulty,
        gasLimit,
        coinbase: miner,
        prevRandao: toBytes(header.mixHash),
        ...(baseFeePerGas !== undefined && { baseFeePerGas }),
        getBlobGasPrice: () => blobGasPrice,
      },
    },
    miner,
    baseFee: baseFeePerGas ?? 0n,
    blobGasPrice,
  }
}

export function toAddress(hex: Hex): Address {
  return new Address(toBytes(hex))
}

/** Not a `Buffer`: it copies where others share, and shares where others copy. */
export function toBytes(hex: Hex): Uint8Array {
  const buffer = decodeHex(hex)
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
}
