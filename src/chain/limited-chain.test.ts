import { describe, expect, it } from 'vitest'
import type { ChainSource, HistoryTransaction } from './chain-source.ts'
import { asTold } from './confirmation-limit.ts'
import { limitConfirmations } from './limited-chain.ts'

const HEIGHTS: { [txid: string]: number | null } = { last: 100, above: 101, waiting: null }

const describeOne = (txid: string) => {
  const height = HEIGHTS[txid] ?? null
  const place = height === null ? null : `block ${height}`
  return { txid, height, blockHash: place, at: height } as HistoryTransaction
}

const told = {
  network: 'regtest',
  fetchTransactionHeight: async (txid: string) => HEIGHTS[txid],
  fetchTransactionRecord: async (txid: string) => describeOne(txid),
  fetchHistory: async () => ({
    transactions: Object.keys(HEIGHTS).map(describeOne),
    next: 'further',
  }),
  fetchTip: async () => ({ height: 107, hash: 'newest', at: 1 }),
} as unknown as ChainSource

describe('a chain that counts up to block 100', () => {
  const chain = limitConfirmations(told, 100)

  it('has what is above as in no block, and what nobody knows as unknown', async () => {
    const heights = await Promise.all(
      ['last', 'above', 'waiting', 'nobody’s'].map(chain.fetchTransactionHeight),
    )
    expect(heights).toEqual([100, null, null, undefined])
    expect(await chain.fetchTransactionRecord('last')).toEqual(describeOne('last'))
    const nowhere = { height: null, blockHash: null, at: null }
    expect(await chain.fetchTransactionRecord('above')).toEqual({ txid: 'above', ...nowhere })
    const { transactions, next } = await chain.fetchHistory('', null)
    expect(transactions.map(({ height }) => height)).toEqual([100, null, null])
    expect(next).toBe('further')
  })

  it('tells the newest block as it is, and all else where it is asked for', async () => {
    expect(await chain.fetchTip()).toEqual({ height: 107, hash: 'newest', at: 1 })
    expect(await asTold(chain).fetchTransactionHeight('above')).toBe(101)
    expect(asTold(told)).toBe(told)
  })
})
