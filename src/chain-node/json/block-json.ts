import { formatQuantity, type Hex } from '../codec/hex.ts'
import type { Block, Withdrawal } from '../engine/block.ts'
import { listHeaderFields, listLaterHeaderFields } from './header-json.ts'
import type { Shape } from './shape.ts'

/** A block without its transactions, to which `joinTransactions` adds them. */
export function blockFieldsJson(block: Block, totalDifficulty: bigint, shape: Shape): string {
  return JSON.stringify(listFields(block, formatQuantity(totalDifficulty), shape))
}

/** A block that nobody has made yet, without its transactions: what only a made one has is null, as in geth. */
export function pendingFieldsJson(block: Block, shape: Shape): string {
  return JSON.stringify({
    ...listFields(block, null, shape),
    hash: null,
    nonce: null,
    miner: null,
  })
}

/** @param transactions - each as JSON text: an object, or a hash in quotes */
export function joinTransactions(fields: string, transactions: readonly string[]): string {
  return `${fields.slice(0, -1)},"transactions":[${transactions.join()}]}`
}

export function quoteHash(hash: Hex): string {
  return `"${hash}"`
}

function listFields(block: Block, totalDifficulty: Hex | null, shape: Shape) {
  const { header, uncles, withdrawals } = block
  return {
    ...listHeaderFields(header),
    size: formatQuantity(block.rlp.length),
    uncles,
    ...(shape === 'complete'
      ? {
          ...listLaterHeaderFields(header),
          ...(withdrawals && { withdrawals: withdrawals.map(formatWithdrawal) }),
        }
      : { totalDifficulty }),
  }
}

function formatWithdrawal(withdrawal: Withdrawal) {
  return {
    index: formatQuantity(withdrawal.index),
    validatorIndex: formatQuantity(withdrawal.validatorIndex),
    address: withdrawal.address,
    amount: formatQuantity(withdrawal.amount),
  }
}
