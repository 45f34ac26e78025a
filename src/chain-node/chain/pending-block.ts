import type { Hex } from '../codec/hex.ts'
import type { Block } from '../engine/block.ts'
import {
  computeLogsBloom,
  encodeBlock,
  hashUncles,
  transactionsRoot,
  withdrawalsRoot,
} from '../engine/encoding/block-codec.ts'
import type { BlockTemplate, Engine } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Pool } from '../pool/pool.ts'
import type { Chain } from './chain.ts'

/** What the next block would take now, as far as the gas that the transactions ask for has room in it. */
export function listPendingTransactions(
  chain: Pick<Chain, 'head'>,
  pool: Pick<Pool, 'candidates'>,
): Transaction[] {
  let room = chain.head().gasLimit
  const taken: Transaction[] = []
  const waiting = new Set<Hex>()
  for (const transaction of pool.candidates()) {
    const { from, gas } = transaction
    if (waiting.has(from) || gas > room) {
      waiting.add(from)
      continue
    }
    room -= gas
    taken.push(transaction)
  }
  return taken
}

/**
 * The block that the pool's transactions would make, without running them: `gasUsed` is what they ask for (as in exchain),
 * the state is the head's, and its receipts are not known and zero. Its hash, nonce and miner mean nothing.
 */
export function buildPendingBlock(
  chain: Pick<Chain, 'head'>,
  engine: Pick<Engine, 'nextBaseFee'>,
  pool: Pick<Pool, 'candidates'>,
  { timestamp }: Pick<BlockTemplate, 'timestamp'>,
): Block {
  const head = chain.head()
  const transactions = listPendingTransactions(chain, pool)
  const baseFee = engine.nextBaseFee(head)
  const { hash, ...fields } = head
  const header = {
    ...fields,
    parentHash: hash,
    uncleHash: hashUncles([]),
    transactionsRoot: transactionsRoot(transactions),
    receiptsRoot: ZERO_HASH,
    logsBloom: computeLogsBloom([]),
    number: head.number + 1n,
    gasUsed: transactions.reduce((sum, { gas }) => sum + gas, 0n),
    timestamp,
    ...(head.baseFeePerGas !== undefined || baseFee > 0n ? { baseFeePerGas: baseFee } : {}),
  }
  if (head.withdrawalsRoot === undefined) return encodeBlock(header, transactions)
  const shanghai = { ...header, withdrawalsRoot: withdrawalsRoot([]) }
  return encodeBlock(shanghai, transactions, [], [])
}

const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`
