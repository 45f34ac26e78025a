import { isPending, resolveHeight } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { buildPendingBlock, listPendingTransactions } from '../chain/pending-block.ts'
import { formatQuantity } from '../codec/hex.ts'
import { readBlockNumber, readBoolean, readHash } from '../codec/parameters.ts'
import type { Engine } from '../engine/engine.ts'
import { joinTransactions, pendingFieldsJson, quoteHash } from '../json/block-json.ts'
import { pooledTransactionJson } from '../json/transaction-json.ts'
import type { Pool } from '../pool/pool.ts'
import type { Producer } from '../producer/producer.ts'
import { answerText, defineMethod, JsonText, type MethodTable, required } from '../rpc/method.ts'

/** Blocks and the number of transactions in them. What is not there is null. */
export function listBlockMethods({
  chain,
  engine,
  pool,
  producer,
}: {
  readonly chain: Chain
  readonly engine: Pick<Engine, 'nextBaseFee'>
  readonly pool: Pool
  readonly producer: Pick<Producer, 'describeNext'>
}): MethodTable {
  function pendingJson(withTransactions: boolean): string {
    const block = buildPendingBlock(chain, engine, pool, producer.describeNext())
    const transactions = block.transactions.map(transaction =>
      withTransactions
        ? pooledTransactionJson(transaction, chain.shape)
        : quoteHash(transaction.hash),
    )
    return joinTransactions(pendingFieldsJson(block, chain.shape), transactions)
  }

  return {
    eth_getBlockByNumber: defineMethod(
      [required(readBlockNumber), required(readBoolean)],
      ([block, withTransactions]) => {
        if (isPending(block)) return new JsonText(pendingJson(withTransactions))
        return answerText(chain.blockJson(resolveHeight(chain, block), withTransactions))
      },
    ),
    eth_getBlockByHash: defineMethod(
      [required(readHash), required(readBoolean)],
      ([hash, withTransactions]) => answerText(chain.blockJson(hash, withTransactions)),
    ),
    eth_getBlockTransactionCountByNumber: defineMethod([required(readBlockNumber)], ([block]) => {
      if (isPending(block)) return formatQuantity(listPendingTransactions(chain, pool).length)
      return formatCount(chain.countTransactions(resolveHeight(chain, block)))
    }),
    eth_getBlockTransactionCountByHash: defineMethod([required(readHash)], ([hash]) =>
      formatCount(chain.countTransactions(hash)),
    ),
  }
}

function formatCount(count: number | null): string | null {
  return count === null ? null : formatQuantity(count)
}
