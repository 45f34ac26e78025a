import type { Header } from '../engine/block.ts'
import type { Engine } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import { PoolError } from './pool.ts'
import type { Origin } from './pooled-transaction.ts'

const MAX_BYTES = 128 * 1024
/** EIP-2681. */
const MAX_NONCE = 2n ** 64n - 1n

/**
 * Refuses what no block after `head` takes, whoever sent it; the order is geth's. Where there is a base fee it is the least
 * price: `minGasPrice` holds for chains without one.
 */
export function assertAcceptable(
  engine: Pick<Engine, 'intrinsicGas'>,
  head: Header,
  transaction: Transaction,
  origin: Origin,
  minGasPrice: bigint,
): void {
  if (transaction.raw.length > MAX_BYTES) throw new PoolError('oversized data')
  if (transaction.gas > head.gasLimit) throw new PoolError('exceeds block gas limit')
  if ((transaction.maxPriorityFeePerGas ?? 0n) > transaction.gasPrice) {
    throw new PoolError('max priority fee per gas higher than max fee per gas')
  }
  if (transaction.nonce >= MAX_NONCE) throw new PoolError('nonce has max value')
  if (transaction.gas < engine.intrinsicGas(head, transaction)) {
    throw new PoolError('intrinsic gas too low')
  }
  if (
    origin === 'remote' &&
    head.baseFeePerGas === undefined &&
    transaction.gasPrice < minGasPrice
  ) {
    throw new PoolError('transaction underpriced')
  }
}
