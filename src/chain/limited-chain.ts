import { parseAddress } from '../bitcoin/address.ts'
import type { ChainSource, HistoryTransaction } from './chain-source.ts'

/**
 * A chain whose answers call nothing confirmed that is in a block above a height: coins, transactions and balances from there on
 * are as in the mempool. The newest block is told as it is. While its own answer splits no balance by height, the coins of each
 * address with a balance are asked for as well: what is confirmed is then the sum of the unspent ones.
 */
export function limitConfirmations<Chain extends ChainSource>(chain: Chain, height: number): Chain {
  const limit = { height, told: chain }
  const count = (told: number | null) => (isWithin(limit, told) ? told : null)
  const limited: Partial<ChainSource> = {
    limit,
    async fetchBalance(address) {
      const told = await chain.fetchBalance(address)
      if (told.confirmed === 0n) return told
      const { scriptPubKey } = parseAddress(address, chain.network)
      const coins = await chain.fetchUtxos(address, scriptPubKey)
      const confirmed = coins.reduce(
        (sum, coin) =>
          coin.height !== null && isWithin(limit, coin.height) ? sum + coin.amount : sum,
        0n,
      )
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
    if (isWithin(limit, one.height)) return one
    return { ...one, height: null, blockHash: null, at: null }
  }
}

/** The chain with all that its server calls confirmed, for what sits on coins, and for what is checked by itself. */
export function asTold<Chain extends ChainSource>(chain: Chain): Chain {
  return (chain.limit?.told as Chain | undefined) ?? chain
}

/** Whether a block at a height counts; null stands for no block, which does not. */
export function isCounted({ limit }: Pick<ChainSource, 'limit'>, height: number | null): boolean {
  return height !== null && (limit === undefined || isWithin(limit, height))
}

/** The height from which confirmations are counted: of the newest block, or of the last one that counts. */
export async function fetchCountedHeight(chain: ChainSource): Promise<number> {
  const { height } = await chain.fetchTip()
  return Math.min(height, chain.limit?.height ?? height)
}

function isWithin(limit: { height: number }, height: number | null): boolean {
  return height === null || height <= limit.height
}
