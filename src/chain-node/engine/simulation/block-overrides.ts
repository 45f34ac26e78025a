import type { Header } from '../block.ts'
import {
  type BlockEnvironment,
  createBlockEnvironment,
  type EnvironmentHeader,
} from '../block-environment.ts'
import type { BlockOverrides } from '../engine.ts'
import type { Rules } from '../rules.ts'

/** The fields of a header with others in their place; its hash and its state stay. */
export function overrideHeader<T extends EnvironmentHeader>(
  header: T,
  overrides: BlockOverrides,
): T {
  const { number, difficulty, timestamp, gasLimit, miner, mixHash, baseFeePerGas } = overrides
  return {
    ...header,
    ...(number !== undefined && { number }),
    ...(difficulty !== undefined && { difficulty }),
    ...(timestamp !== undefined && { timestamp }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(miner !== undefined && { miner }),
    ...(mixHash !== undefined && { mixHash }),
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
  }
}

/** @param blobBaseFee - in place of what follows from the header */
export function createOverriddenEnvironment(
  rules: Rules,
  header: EnvironmentHeader | Header,
  blobBaseFee: bigint | undefined,
): BlockEnvironment {
  const environment = createBlockEnvironment(rules, header)
  if (blobBaseFee === undefined) return environment
  const { evmBlock } = environment
  return {
    ...environment,
    evmBlock: { header: { ...evmBlock.header, getBlobGasPrice: () => blobBaseFee } },
    blobGasPrice: blobBaseFee,
  }
}
