import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainServer,
  type ChainSource,
  type FeeRates,
  type FeeSource,
  TransactionNotFoundError,
} from '../chain-source.ts'

/**
 * Two servers as one, so that one may be away or behind.
 * - Questions go to the first, and to the second where the first gives no usable answer.
 * - Coins and heights are asked of both. The first one's list of coins counts, since what is unconfirmed differs between
 *   honest servers; but two amounts for one coin mean that one of them lies: that is the problem `disagreement`.
 * - A transaction goes to both, and it is enough that one takes it. Refused by one while the other does not answer, it may
 *   be on its way all the same: that is BackendUnavailableError, so that its coins stay reserved until both have spoken.
 */
export function createPairedChain(one: ChainServer, other: ChainServer): ChainSource {
  const { source: first } = one
  const { source: second } = other
  return {
    network: first.network,
    fetchTip: () => askBoth(source => source.fetchTip(), higherTip),
    fetchBalance: address => askInTurn(source => source.fetchBalance(address)),
    fetchUtxos: (address, scriptPubKey) =>
      askBoth(
        source => source.fetchUtxos(address, scriptPubKey),
        (utxos, others) => {
          assertAgreed(utxos, others)
          return utxos
        },
      ),
    fetchTransaction: txid => askInTurn(source => source.fetchTransaction(txid)),
    fetchTransactionHeight: txid =>
      askBoth(
        source => source.fetchTransactionHeight(txid),
        (height, other) => height ?? other ?? (height === null ? null : other),
      ),
    fetchHistory: (address, after) => askInTurn(source => source.fetchHistory(address, after)),
    fetchTransactionRecord: txid => askInTurn(source => source.fetchTransactionRecord(txid)),
    fetchSpender: outpoint =>
      askBoth(
        source => source.fetchSpender(outpoint),
        (spender, other) => spender ?? other,
      ),
    fetchBlock: hash => askInTurn(source => source.fetchBlock(hash)),
    fetchBlockHeader: hash => askInTurn(source => source.fetchBlockHeader(hash)),
    fetchBlockHeaders: height => askInTurn(source => source.fetchBlockHeaders(height)),
    fetchNewestHeaders: () => askInTurn(source => source.fetchNewestHeaders()),
    fetchMerkleProof: txid => askInTurn(source => source.fetchMerkleProof(txid)),
    async broadcast(rawTx) {
      const outcomes = await Promise.allSettled([first.broadcast(rawTx), second.broadcast(rawTx)])
      const accepted = outcomes.find(({ status }) => status === 'fulfilled')
      if (accepted?.status === 'fulfilled') return accepted.value
      const errors = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
      throw errors.find(error => !(error instanceof BroadcastRejectedError)) ?? errors[0]
    },
  }

  async function askInTurn<T>(ask: (source: ChainSource) => Promise<T>): Promise<T> {
    try {
      return await ask(first)
    } catch (cause) {
      if (!(cause instanceof BackendUnavailableError)) throw cause
      return ask(second).catch(other => {
        throw tellingError(cause, other)
      })
    }
  }

  /** The answer of the one where the other gives none; else what `join` makes of both. */
  async function askBoth<T>(
    ask: (source: ChainSource) => Promise<T>,
    join: (answer: T, other: T) => T,
  ): Promise<T> {
    const [answer, other] = await Promise.allSettled([ask(first), ask(second)])
    if (answer.status === 'fulfilled') {
      return other.status === 'fulfilled' ? join(answer.value, other.value) : answer.value
    }
    if (other.status === 'fulfilled') return other.value
    throw tellingError(answer.reason, other.reason)
  }

  function assertAgreed(utxos: readonly Utxo[], others: readonly Utxo[]): void {
    const amounts = new Map(others.map(utxo => [formatOutpoint(utxo), utxo.amount]))
    for (const utxo of utxos) {
      const outpoint = formatOutpoint(utxo)
      const amount = amounts.get(outpoint) ?? utxo.amount
      if (amount === utxo.amount) continue
      throw new BackendUnavailableError({
        kind: 'disagreement',
        host: `${one.host}, ${other.host}`,
        detail: `say ${utxo.amount} and ${amount} sats of the coin ${outpoint}`,
        retryInMs: null,
      })
    }
  }
}

/** That a server has no such transaction counts only where the other says so too. */
function tellingError(error: unknown, other: unknown): unknown {
  return error instanceof TransactionNotFoundError ? other : error
}

function higherTip<T extends { height: number }>(tip: T, other: T): T {
  return other.height > tip.height ? other : tip
}

/** The lower of the two servers' rates each, so that neither alone can make payments expensive. A fee that is too low can be bumped. */
export function createPairedFees(first: FeeSource, second: FeeSource): FeeSource {
  return {
    async fetchFeeRates() {
      const [rates, others] = await Promise.allSettled([
        first.fetchFeeRates(),
        second.fetchFeeRates(),
      ])
      if (rates.status === 'rejected') {
        if (others.status === 'rejected') throw rates.reason
        return others.value
      }
      return others.status === 'rejected' ? rates.value : lowerRates(rates.value, others.value)
    },
  }
}

function lowerRates(a: FeeRates, b: FeeRates): FeeRates {
  return {
    fastest: Math.min(a.fastest, b.fastest),
    halfHour: Math.min(a.halfHour, b.halfHour),
    hour: Math.min(a.hour, b.hour),
    minimum: Math.min(a.minimum, b.minimum),
  }
}
