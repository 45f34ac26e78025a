import { parseAddress } from '../bitcoin/address.ts'
import type { ChainSource, HistoryTransaction } from './chain-source.ts'
import { isCounted } from './confirmation-limit.ts'

/**
 * A chain whose answers call nothing confirmed that is in a block above a height: coins, transactions and balances from there on
 * are as in the mempool. The newest block is told as it is. While its own answer splits no balance by height, the coins of each
 * address with a balance are asked for as well: what is confirmed is then the sum of the unspent ones.
 */
export function limitConfirmations<Chain extends ChainSource>(chain: Chain, height: number): Chain {
  const limit = { height, told: chain }
  const counts = (told: number | null) => isCounted({ limit }, told)
  const count = (told: number | null) => (counts(told) ? told : null)
  const limited: Partial<ChainSource> = {
    limit,
    async fetchBalance(address) {
      const told = await chain.fetchBalance(address)
      if (told.confirmed === 0n) return told
      const { scriptPubKey } = parseAddress(address, chain.network)
      const coins = await chain.fetchUtxos(address, scriptPubKey)
      const counted = coins.filter(coin => counts(coin.height))
      const confirmed = counted.reduce((sum, { amount }) => sum + amount, 0n)
      return { ...told, confirmed, unconfirmed: told.confirmed + told.unconfirmed - confirmed }
    },
    async fetchUtxos(address, scriptPubKey) {
      const coins = await chain.fetchUtxos(address, scriptPubKey)
      return coins.map(coin => ({ ...coin, height: count(coin.height) }))
    },
    async fetchTransactionHeight(txid) {
      const told = await chain.fetchTransactionHeight(txid)
      return told === undefined ? undefined : count(told)
    },
    async fetchHistory(address, after) {
      const { transactions, next } = await chain.fetchHistory(address, after)
      return { transactions: transactions.map(limitOne), next }
    },
    fetchTransactionRecord: async txid => limitOne(await chain.fetchTransactionRecord(txid)),
  }
  return Object.create(chain, Object.getOwnPropertyDescriptors(limited))

  function limitOne(one: HistoryTransaction): HistoryTransaction {
    if (counts(one.height)) return one
    return { ...one, height: null, blockHash: null, at: null }
  }
}
