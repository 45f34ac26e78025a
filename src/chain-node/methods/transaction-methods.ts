import { isPending, resolveHeight } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { listPendingTransactions } from '../chain/pending-block.ts'
import type { Hex } from '../codec/hex.ts'
import { type BlockTag, readBlockNumber, readHash, readIndex } from '../codec/parameters.ts'
import { pooledTransactionJson } from '../json/transaction-json.ts'
import type { Pool } from '../pool/pool.ts'
import { answerText, defineMethod, type MethodTable, required } from '../rpc/method.ts'

/** Transactions in blocks and in the pool, and receipts. What is not there is null. */
export function listTransactionMethods({
  chain,
  pool,
}: {
  readonly chain: Chain
  readonly pool: Pool
}): MethodTable {
  function findByHash(hash: Hex): string | null {
    const mined = chain.transactionJson(hash)
    if (mined !== null) return mined
    const pooled = pool.find(hash)
    return pooled && pooledTransactionJson(pooled, chain.shape)
  }

  function findByNumber(block: BlockTag, index: number): string | null {
    if (!isPending(block)) return chain.transactionJsonAt(resolveHeight(chain, block), index)
    const transaction = listPendingTransactions(chain, pool)[index]
    return transaction ? pooledTransactionJson(transaction, chain.shape) : null
  }

  const byNumber = defineMethod(
    [required(readBlockNumber), required(readIndex)],
    ([block, index]) => answerText(findByNumber(block, index)),
  )

  return {
    eth_getTransactionByHash: defineMethod([required(readHash)], ([hash]) =>
      answerText(findByHash(hash)),
    ),
    eth_getTransactionByBlockHashAndIndex: defineMethod(
      [required(readHash), required(readIndex)],
      ([hash, index]) => answerText(chain.transactionJsonAt(hash, index)),
    ),
    eth_getTransactionByBlockNumberAndIndex: byNumber,
    // The specification's table has this spelling, and its sample the other.
    eth_getTransactionbyBlockNumberAndIndex: byNumber,
    eth_getTransactionReceipt: defineMethod([required(readHash)], ([hash]) =>
      answerText(chain.receiptJson(hash)),
    ),
  }
}
