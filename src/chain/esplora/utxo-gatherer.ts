import { equalBytes } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import {
  BackendUnavailableError,
  type ChainSource,
  type HistoryPage,
  type HistoryTransaction,
} from '../chain-source.ts'

/** 1,500 transactions in pages of 25. */
const MAX_PAGES = 60

/**
 * Works out an address's coins from its history: its outputs that nothing in it spends. For addresses with more coins
 * than their server lists. What was gathered is kept until the address's first page or number of transactions changes.
 */
export function createUtxoGatherer({
  fetchBalance,
  fetchHistory,
  host,
}: Pick<ChainSource, 'fetchBalance' | 'fetchHistory'> & { host: string }) {
  const kept = new Map<string, { state: string; utxos: Utxo[] }>()

  /** Throws `cause` again when the history is too long, and BackendUnavailableError when it contradicts the balance. */
  return async (address: string, scriptPubKey: Uint8Array, cause: unknown): Promise<Utxo[]> => {
    const [balance, first] = await Promise.all([fetchBalance(address), fetchHistory(address, null)])
    const state = describeState(balance.transactions, first)
    const known = kept.get(address)
    if (known?.state === state) return known.utxos

    const history = [...first.transactions]
    let { next } = first
    for (let pages = 1; next !== null; pages++) {
      if (pages === MAX_PAGES) throw cause
      const page = await fetchHistory(address, next)
      history.push(...page.transactions)
      next = page.next
    }
    const utxos = listUnspent(history, scriptPubKey)
    const sum = utxos.reduce((total, { amount }) => total + amount, 0n)
    if (sum !== balance.confirmed + balance.unconfirmed) {
      const detail = 'sent a history that does not come to its balance'
      throw new BackendUnavailableError({ kind: 'too-many-coins', host, detail, retryInMs: null })
    }
    kept.set(address, { state, utxos })
    return utxos
  }
}

function describeState(transactions: number, { transactions: newest }: HistoryPage): string {
  return JSON.stringify([transactions, newest.map(({ txid, blockHash }) => [txid, blockHash])])
}

function listUnspent(history: readonly HistoryTransaction[], scriptPubKey: Uint8Array): Utxo[] {
  const spent = new Set(history.flatMap(({ inputs }) => inputs.map(formatOutpoint)))
  return history.flatMap(({ txid, height, outputs }) =>
    outputs
      .map(({ amount, scriptPubKey: script }, vout) => ({ txid, vout, amount, script, height }))
      .filter(({ script }) => equalBytes(script, scriptPubKey))
      .filter(output => !spent.has(formatOutpoint(output)))
      .map(({ script, ...output }) => ({ ...output, scriptPubKey })),
  )
}
