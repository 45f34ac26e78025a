import { typeOfScript } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { listMissing, listUnproven } from '../../bitcoin/psbt/prevouts.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import { foreseeTransaction } from '../../bitcoin/psbt/txid.ts'
import { BackendUnavailableError, TransactionNotFoundError } from '../../chain/chain-source.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { Activity } from '../activity/activity.ts'
import { createIsFixed } from '../coins/coins.ts'
import type { Clock } from '../primitives/clock.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'
import { listPendingParents } from '../sending/outgoing.ts'
import type { Sources } from '../settings/servers.ts'

export const MAX_TRANSACTIONS = 1000
export const MAX_BYTES = 20_000_000
const CONCURRENCY = 8

/** Amounts of others are worth this much of the person's time. */
const TIMEOUT_MS = 10_000

/** The parts of the wallet that fetch what PSBTs spend. */
export type LookupParts = Pick<Sources, 'chain'> &
  Clock & { activity: Pick<Activity, 'listOpenOfAll'> }

export type PreviousTransactions = {
  /** Raw, by txid. */
  raw: ReadonlyMap<string, Uint8Array>
  /** Why some may be missing: the server did not answer (in time), or they are more than are fetched. */
  missing: 'unanswered' | 'too-many' | null
}

/**
 * What PSBTs spend and do not bring along: from the other PSBTs of the batch, from what is kept back, else from the server; first what a signature
 * of ours needs. A server that fails is not asked again. `named` are the inputs that the page names, by PSBT.
 */
export async function fetchPreviousTransactions(
  { wallet, network, account }: AccountContext<LookupParts>,
  items: readonly { psbt: Psbt; named: ReadonlySet<number> }[],
): Promise<PreviousTransactions> {
  const isFixed = createIsFixed(account, network)
  const parents = await listPendingParents(wallet, network)
  const raw = new Map([...parents].map(([txid, { rawTx }]) => [txid, fromHex(rawTx)]))
  const spent = new Set(items.flatMap(({ psbt }) => psbt.inputs.map(({ txid }) => txid)))
  const asked = items.flatMap(({ psbt }) => {
    if (items.length === 1) return listUnproven(psbt)
    const { txid, raw: transaction } = foreseeTransaction(psbt)
    raw.set(txid, transaction)
    // Its outputs can be spent without the signatures that cover what it spends.
    return spent.has(txid) ? listMissing(psbt) : listUnproven(psbt)
  })
  const needed = new Set(items.flatMap(listNeeded))
  const missing = [...new Set(asked)]
    .filter(txid => !raw.has(txid))
    .sort((a, b) => Number(needed.has(b)) - Number(needed.has(a)))
  if (missing.length === 0) return { raw, missing: null }

  const until = wallet.now() + TIMEOUT_MS
  const queue = missing.slice(0, MAX_TRANSACTIONS)
  let gap: PreviousTransactions['missing'] = queue.length < missing.length ? 'too-many' : null
  let bytes = 0
  const chain = await wallet.chain(network)
  let hasFailed = false
  await forEachConcurrently(queue, CONCURRENCY, async txid => {
    if (hasFailed) return
    if (bytes > MAX_BYTES) {
      gap ??= 'too-many'
      return
    }
    if (wallet.now() > until && !needed.has(txid)) {
      gap = 'unanswered'
      return
    }
    try {
      const transaction = await chain.fetchTransaction(txid)
      bytes += transaction.length
      raw.set(txid, transaction)
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return
      if (!(error instanceof BackendUnavailableError)) throw error
      gap = 'unanswered'
      hasFailed = true
    }
  })
  return { raw, missing: gap }

  /** Taproot signatures cover what is spent; others of ours must have it proven. */
  function listNeeded({ psbt, named }: (typeof items)[number]): string[] {
    return psbt.inputs.flatMap(({ txid, witnessUtxo }, index) => {
      if (!witnessUtxo) return txid
      const { scriptPubKey } = witnessUtxo
      const ours = named.has(index) || isFixed(scriptPubKey)
      return ours && typeOfScript(scriptPubKey) !== 'p2tr' ? txid : []
    })
  }
}
