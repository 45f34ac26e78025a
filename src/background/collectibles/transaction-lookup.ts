import { toHex } from '../../bitcoin/bytes.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import { type ChainSource, TransactionNotFoundError } from '../../chain/chain-source.ts'
import { mapConcurrently } from '../primitives/concurrency.ts'

export type RawTransaction = ReturnType<typeof decodeTransaction>

const MAX_TRANSACTIONS = 120
const MAX_BYTES = 20_000_000
const CONCURRENCY = 8

/** Following a sat took more than is worth a person's time. */
export class TooFarError extends Error {
  override name = 'TooFarError'
}

/** Transactions that several inquiries read, 20 MB at most: a commit is asked for once, not for each of its reveals. */
export type SharedTransactions = { known: Map<string, Promise<RawTransaction>>; bytes: number }

/**
 * Transactions of one inquiry, at most 120 of them and some 20 MB, but for those that are `shared`. Throws {@link TooFarError}
 * beyond that and after `until` (milliseconds), else as the chain server does.
 */
export function createTransactionLookup(
  chain: ChainSource,
  now: () => number,
  {
    until = Number.POSITIVE_INFINITY,
    shared = { known: new Map(), bytes: MAX_BYTES },
  }: { until?: number; shared?: SharedTransactions } = {},
) {
  const known = new Map<string, RawTransaction>()
  let asked = 0
  let bytes = 0
  return {
    chain,
    get,
    listSpent,
    /** Sats of the outputs that these inputs spend. */
    async amountsOf(inputs: RawTransaction['ins']): Promise<bigint[]> {
      return (await listSpent(inputs)).map(({ value }) => value)
    },
    getSpent,
  }

  /** The outputs that these inputs spend. */
  function listSpent(inputs: RawTransaction['ins']): Promise<RawTransaction['outs']> {
    return mapConcurrently(inputs, CONCURRENCY, getSpent)
  }

  async function get(txid: string): Promise<RawTransaction> {
    const before = known.get(txid) ?? shared.known.get(txid)
    if (before) return before
    if (asked >= MAX_TRANSACTIONS || bytes > MAX_BYTES || now() > until)
      throw new TooFarError(`${asked} transactions`)
    asked += 1
    const fetching = load(txid)
    if (shared.bytes < MAX_BYTES) shared.known.set(txid, fetching)
    // What failed, another inquiry may ask for again.
    fetching.catch(() => shared.known.delete(txid))
    const transaction = await fetching
    known.set(txid, transaction)
    return transaction
  }

  async function load(txid: string): Promise<RawTransaction> {
    const rawTx = await chain.fetchTransaction(txid)
    bytes += rawTx.length
    if (shared.bytes + rawTx.length <= MAX_BYTES) shared.bytes += rawTx.length
    else shared.known.delete(txid)
    return decodeTransaction(rawTx)
  }

  /** The output that an input spends. */
  async function getSpent({ hash, index }: RawTransaction['ins'][number]) {
    const txid = txidOfHash(hash)
    const output = (await get(txid)).outs[index]
    if (!output) throw new TransactionNotFoundError('', txid)
    return output
  }
}

export type TransactionLookup = ReturnType<typeof createTransactionLookup>

/** The usual (reversed) hex of the txid that an input names. */
export function txidOfHash(hash: Uint8Array): string {
  return toHex(hash.toReversed())
}
