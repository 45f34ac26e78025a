import { toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { parseTransaction, txidOf } from '../../bitcoin/transaction.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
  type FeeRates,
  type FeeSource,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'

/** A chain in memory behind the wallet's port: every raw transaction given to it counts as confirmed. */
export function createMemoryChain(network: Network, fees: FeeRates) {
  const transactions = new Map<string, Uint8Array>()
  const broadcasts: string[] = []
  const faults: {
    refuse?: string
    unreachable?: boolean
    /** The broadcast arrives, its answer does not. */
    loseAnswers?: boolean
    slowFeesMs?: number
    fees?: FeeRates
  } = {}

  const chain: ChainSource & FeeSource = {
    network,
    async fetchBalance() {
      throw new BackendUnavailableError('Balances are not kept in memory.')
    },
    async fetchUtxos(_, scriptPubKey) {
      assertReachable()
      return listOutputs()
        .filter(output => toHex(output.scriptPubKey) === toHex(scriptPubKey))
        .map(output => ({ ...output, height: 100 }))
    },
    async fetchTransaction(txid) {
      assertReachable()
      const rawTx = transactions.get(txid)
      if (!rawTx) throw new TransactionNotFoundError(`No transaction ${txid}`)
      return rawTx
    },
    async fetchTransactionHeight(txid) {
      assertReachable()
      return transactions.has(txid) ? 100 : undefined
    },
    async broadcast(rawTx) {
      assertReachable()
      if (faults.refuse) throw new BroadcastRejectedError(faults.refuse)
      const txid = txidOf(rawTx)
      broadcasts.push(txid)
      transactions.set(txid, rawTx)
      if (faults.loseAnswers) throw new BackendUnavailableError('The answer was lost.')
      return txid
    },
    async fetchFeeRates() {
      assertReachable()
      await new Promise(resolve => setTimeout(resolve, faults.slowFeesMs ?? 0))
      return faults.fees ?? fees
    },
  }
  return {
    chain,
    faults,
    /** Txids in the order of their broadcasts, repeated ones too. */
    broadcasts,
    add(rawTx: Uint8Array): string {
      const txid = txidOf(rawTx)
      transactions.set(txid, rawTx)
      return txid
    },
    get: (txid: string) => transactions.get(txid),
  }

  function assertReachable(): void {
    if (faults.unreachable) throw new BackendUnavailableError('The server did not answer.')
  }

  function listOutputs() {
    const parsed = [...transactions.values()].map(parseTransaction)
    const spent = new Set(
      parsed.flatMap(({ inputs }) => inputs.map(({ txid, vout }) => `${txid}:${vout}`)),
    )
    return parsed
      .flatMap(({ txid, outputs }) => outputs.map((output, vout) => ({ txid, vout, ...output })))
      .filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`))
  }
}

export type MemoryChain = ReturnType<typeof createMemoryChain>
