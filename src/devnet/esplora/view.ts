// esplora: the interface of Esplora over devnet's chain and mempool. Its answers have the shapes and the error
// texts of mempool.space's servers.

import type { ConfirmedTransaction } from '../chain/chain.ts'
import { hashScript } from '../chain/script.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import type { AddressStats, Status, UtxoJson } from './shapes.ts'

export interface SeenTransaction {
  record: TransactionRecord
  status: Status
}

/** What an index that has not read the newest `staleBlocks` blocks would know: their transactions are still unconfirmed. */
export interface View {
  tipHeight: number
  find(txid: string): SeenTransaction | null
  /** Who spends an outpoint. */
  spender(outpoint: string): { txid: string; vin: number; status: Status } | null
  /** Newest first. */
  confirmed(scriptHash: string): SeenTransaction[]
  /** Newest first. */
  unconfirmed(scriptHash: string): SeenTransaction[]
  utxos(scriptHash: string): UtxoJson[]
}

const UNCONFIRMED: Status = { confirmed: false }

export function createView(network: LocalNetwork, staleBlocks: number): View {
  const { chain } = network
  const pool = network.pool()
  const tipHeight = Math.max(0, chain.height() - staleBlocks)

  function see({ record, block }: ConfirmedTransaction): SeenTransaction | null {
    if (block.height > tipHeight) return record.isCoinbase ? null : { record, status: UNCONFIRMED }
    const status: Status = {
      confirmed: true,
      block_height: block.height,
      block_hash: block.hash,
      block_time: block.timestamp,
    }
    return { record, status }
  }

  const find: View['find'] = txid => {
    const confirmed = chain.transaction(txid)
    if (confirmed) return see(confirmed)
    const entry = pool.get(txid)
    return entry ? { record: entry.record, status: UNCONFIRMED } : null
  }

  const history = (key: string): SeenTransaction[] =>
    chain
      .history(key)
      .toReversed()
      .flatMap(confirmed => see(confirmed) ?? [])

  return {
    tipHeight,
    find,
    spender(outpoint) {
      const spend = pool.spender(outpoint) ?? chain.spender(outpoint)
      const seen = spend && find(spend.txid)
      return spend && seen ? { ...spend, status: seen.status } : null
    },
    confirmed: key => history(key).filter(({ status }) => status.confirmed),
    unconfirmed: key => [
      ...pool
        .touching(key)
        .toReversed()
        .map(({ record }) => ({ record, status: UNCONFIRMED })),
      ...history(key).filter(({ status }) => !status.confirmed),
    ],
    utxos: key => [
      ...chain.coins(key).flatMap(({ txid, vout, output }) => {
        const seen = find(txid)
        if (!seen || pool.spender(`${txid}:${vout}`)) return []
        return { txid, vout, status: seen.status, value: Number(output.value) }
      }),
      ...pool.coins(key).map(({ txid, vout, value }) => ({
        txid,
        vout,
        status: UNCONFIRMED,
        value: Number(value),
      })),
    ],
  }
}

/** Counts and sums of what a script received and spent in these transactions. */
export function sumStats(key: string, transactions: readonly SeenTransaction[]): AddressStats {
  const stats: AddressStats = {
    funded_txo_count: 0,
    funded_txo_sum: 0,
    spent_txo_count: 0,
    spent_txo_sum: 0,
    tx_count: transactions.length,
  }
  for (const { record } of transactions) {
    for (const { script, value } of record.tx.outs) {
      if (hashScript(script) !== key) continue
      stats.funded_txo_count++
      stats.funded_txo_sum += Number(value)
    }
    for (const { script, value } of record.prevouts) {
      if (hashScript(script) !== key) continue
      stats.spent_txo_count++
      stats.spent_txo_sum += Number(value)
    }
  }
  return stats
}
