import type { Hex } from '../../codec/hex.ts'
import type { Transaction } from '../../engine/transaction.ts'
import type { Pool } from '../pool.ts'

/** A pool in which every transaction is pending, in the order in which they came. */
export function createSamplePool(): Pick<Pool, 'add' | 'find' | 'candidates' | 'nextNonce'> {
  const transactions: Transaction[] = []
  return {
    async add(transaction) {
      transactions.push(transaction)
    },
    find: hash => transactions.find(transaction => transaction.hash === hash) ?? null,
    candidates: () => transactions,
    nextNonce(address: Hex) {
      const own = transactions.filter(({ from }) => from === address)
      return own.reduce((next, { nonce }) => (nonce >= next ? nonce + 1n : next), 0n)
    },
  }
}
