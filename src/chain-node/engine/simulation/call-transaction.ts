import { type BlockEnvironment, toBytes } from '../block-environment.ts'
import { type CallPrices, withoutBaseFee } from '../call-runner.ts'
import type { CallMessage } from '../engine.ts'
import type { Machine } from '../machine.ts'
import type { Transaction } from '../transaction.ts'

const NO_HASH = `0x${'0'.repeat(64)}` as const

/** A call as a transaction that nobody signed, for what runs it as one; its hash and its bytes are nothing. */
export function toTransaction(
  { common, state }: Pick<Machine, 'common' | 'state'>,
  message: CallMessage,
  gas: bigint,
  prices: CallPrices,
): Transaction {
  const { from, to, value, input, gasPrice, maxPriorityFeePerGas } = message
  const { authorizationList, blobVersionedHashes, accessList } = message
  const isFeeMarket = common.isActivatedEIP(1559)
  return {
    hash: NO_HASH,
    type: 2,
    chainId: null,
    nonce: state.readAccount(toBytes(from))?.nonce ?? 0n,
    ...{ from, to, value, gas, input },
    gasPrice: prices.highest,
    ...(isFeeMarket && { maxPriorityFeePerGas: gasPrice ?? maxPriorityFeePerGas ?? 0n }),
    ...(accessList !== undefined && { accessList }),
    ...(blobVersionedHashes !== undefined && { blobVersionedHashes }),
    ...(authorizationList !== undefined && common.isActivatedEIP(7702) && { authorizationList }),
    ...{ v: 0n, r: 0n, s: 0n },
    raw: new Uint8Array(0),
  }
}

/** What the block is to a call: one that pays nothing sees a base fee of nothing. */
export function environmentOf(environment: BlockEnvironment, prices: CallPrices): BlockEnvironment {
  if (prices.effective > 0n) return environment
  return { ...environment, evmBlock: withoutBaseFee(environment.evmBlock), baseFee: 0n }
}
