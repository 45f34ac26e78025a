// sending: Handing signed transactions to the network, and withholding those that something else has to come
// before. It promises that a transaction is on record before it leaves, and that handing over again is harmless;
// it never signs or changes one.

import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { txidOf } from '../../bitcoin/transaction.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
} from '../../chain/chain-source.ts'
import { failure, ProviderError } from '../../provider/errors.ts'
import type { Activity, SentRecord } from '../activity/activity.ts'
import { isLive } from '../activity/sent-status.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { StoredRequest } from '../requests/requests.ts'
import type { Sources } from '../settings/servers.ts'
import type { PaymentResult } from '../views/payment-views.ts'
import { type ShownTransactions, unsignedTxidOf } from './shown-transactions.ts'

/** The parts of the wallet that hand transactions over and keep account of it. */
export type SendingParts = Pick<Sources, 'chain'> & {
  activity: Pick<Activity, 'listSent' | 'listOpenOfAll' | 'record' | 'setStatus' | 'change'>
}

/** Pauses between the tries to hand a transaction over. */
const RETRY_DELAYS_MS: readonly number[] = [500, 2000]

/**
 * Hands a signed transaction to the network and keeps account of it; resolves its txid. May be called again with the same
 * record, in another worker too. Throws BROADCAST_REJECTED with the node's words, after which its coins are free again; or
 * BACKEND_UNAVAILABLE when it is not known whether it arrived: then it stays `sending`, its coins stay reserved, and
 * activity tries again.
 */
export async function broadcastTransaction(
  wallet: SendingParts,
  given: SentRecord,
): Promise<string> {
  const { txid } = given
  const { record, before, isThere, isOvertaken } = await findRecord(wallet, given)
  if (isThere && record.payment !== null) return txid
  if (isOvertaken) throw rejected('Another payment spends its coins now.')
  // Another worker finished this attempt, or the site pushes again what it pushed before.
  if (isThere && (before?.at === record.at || (await isKnown(wallet, record)))) return txid
  if (before?.status !== 'sending') await wallet.activity.record({ ...record, status: 'sending' })
  try {
    await sendPendingParents(wallet, record)
    await broadcast(wallet, record)
  } catch (cause) {
    if (cause instanceof BroadcastRejectedError) {
      await wallet.activity.setStatus(txid, 'failed')
      throw Object.assign(rejected(cause.reason), { cause })
    }
    if (!(cause instanceof BackendUnavailableError)) throw cause
    throw failure(
      'BACKEND_UNAVAILABLE',
      'The wallet’s server did not answer. The transaction may have been sent, and will be tried again: look for its id before you pay again.',
      { cause, data: { txid } },
    )
  }
  await wallet.activity.setStatus(txid, 'pending')
  return txid
}

/** Hands a stored transaction to the network; `unknown` where it cannot be told whether it arrived. */
export async function sendRecord(wallet: SendingParts, record: SentRecord): Promise<PaymentResult> {
  try {
    await broadcastTransaction(wallet, record)
    return { txid: record.txid, outcome: 'sent' }
  } catch (error) {
    const unanswered =
      error instanceof ProviderError && error.data?.reason === 'BACKEND_UNAVAILABLE'
    if (!unanswered) throw error
    return { txid: record.txid, outcome: 'unknown' }
  }
}

/**
 * Puts transactions on record, in one write and in the order of broadcast, before the first of them leaves: where the browser
 * ends in between, activity hands over the others. Those that were sent, or whose coins another payment has now, stay as they are.
 * Resolves those that were withheld until now, by txid.
 */
export async function recordSending(
  wallet: SendingParts,
  given: readonly SentRecord[],
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(given.map(record => findRecord(wallet, record)))
  const open = found.filter(
    ({ before, isThere, isOvertaken }) => !isThere && !isOvertaken && before?.status !== 'sending',
  )
  const records = open.map(({ record, after }) => ({
    ...record,
    ...(after && { after }),
    status: 'sending' as const,
  }))
  if (records.length > 0) await wallet.activity.record(...records)
  return new Set(open.flatMap(({ before }) => (before?.status === 'unsent' ? before.txid : [])))
}

/**
 * Takes back what `recordSending` has put on record of a transaction that is not to leave: it is withheld again, or failed. What
 * was on its way for another reason stays so, as its coins may be spent: a site names dependencies as it likes.
 */
export function giveUpSending(
  wallet: SendingParts,
  { txid, accountId, at }: SentRecord,
  wasWithheld: boolean,
): Promise<void> {
  const isOurs = (one: SentRecord) =>
    one.txid === txid &&
    one.accountId === accountId &&
    one.status === 'sending' &&
    (wasWithheld || (one.payment === null && one.at === at))
  const status = wasWithheld ? 'unsent' : 'failed'
  return wallet.activity.change(open =>
    open.some(isOurs) ? open.map(one => (isOurs(one) ? { ...one, status } : one)) : open,
  )
}

/** What is on record of a transaction that is to be handed over, and the record that it is to have. */
async function findRecord(wallet: SendingParts, given: SentRecord) {
  const known = await wallet.activity.listSent(given.network, given.accountId)
  const before = known.find(other => other.txid === given.txid)
  // A site may push a payment that this wallet made: its record keeps what a bump needs.
  const record = given.payment === null && before?.payment ? before : given
  const status = before?.status
  const isOpen = status === undefined || status === 'sending' || status === 'unsent'
  return {
    record,
    before,
    after: given.after,
    isThere: !isOpen && status !== 'failed',
    isOvertaken: record.payment !== null && status === 'failed' && areCoinsTaken(record, known),
  }
}

/** Brings a site's request to its end once its transaction is signed, which cannot be undone; null before. */
export function finishSending(
  wallet: SendingParts,
  { signed }: StoredRequest['journal'],
): Promise<string> | null {
  return signed ? broadcastTransaction(wallet, signed as SentRecord) : null
}

function areCoinsTaken({ txid, spends, replaces }: SentRecord, known: readonly SentRecord[]) {
  const others = known.filter(other => other.txid !== txid && other.txid !== replaces)
  return others.some(
    other => isLive(other) && other.spends.some(outpoint => spends.includes(outpoint)),
  )
}

/** What the node said of a transaction that it refused. */
export function rejected(reason: string): ProviderError {
  return failure('BROADCAST_REJECTED', `The network refused the transaction: ${reason}`, {
    data: { node: reason },
  })
}

/** Hands over the withheld transactions that this one spends: a node refuses it before them. */
async function sendPendingParents(
  wallet: SendingParts,
  { network, spends }: SentRecord,
): Promise<void> {
  for (const parent of (await listPendingParents(wallet, network)).values()) {
    const { txid, status, creates } = parent
    const isNeeded = creates.some(outpoint => spends.includes(outpoint))
    if (!isNeeded || (status !== 'unsent' && status !== 'sending')) continue
    await wallet.activity.setStatus(txid, 'sending')
    try {
      await broadcast(wallet, parent)
    } catch (cause) {
      if (cause instanceof BroadcastRejectedError) await wallet.activity.setStatus(txid, 'failed')
      throw cause
    }
    await wallet.activity.setStatus(txid, 'pending')
  }
}

/** Whether the wallet has handed over a transaction of this account for this site, and the server has it. */
export async function isSent(
  wallet: SendingParts,
  sent: Pick<SentRecord, 'txid' | 'network' | 'accountId' | 'origin'>,
): Promise<boolean> {
  const known = await wallet.activity.listSent(sent.network, sent.accountId)
  const record = known.find(({ txid }) => txid === sent.txid)
  if (record?.kind !== 'pushed' || record.origin !== sent.origin) return false
  const isThere = record.status === 'pending' || record.status === 'confirmed'
  return isThere && isKnown(wallet, sent)
}

async function isKnown(
  wallet: SendingParts,
  { network, txid }: Pick<SentRecord, 'network' | 'txid'>,
): Promise<boolean> {
  const chain = await wallet.chain(network)
  const answer = chain.fetchTransactionHeight(txid).then(height => ({ height }))
  return (await nullIfUnanswered(answer))?.height !== undefined
}

async function broadcast(wallet: SendingParts, { network, rawTx }: SentRecord): Promise<void> {
  await broadcastWithRetries(await wallet.chain(network), fromHex(rawTx))
}

/**
 * Hands a raw transaction to a server, up to three times while it does not answer. `isTemporary` says of which errors to
 * try again. Throws as the last try did; a refusal after a try that was not answered counts only where the server does not have it.
 */
export async function broadcastWithRetries(
  chain: Pick<ChainSource, 'broadcast' | 'fetchTransactionHeight'>,
  rawTx: Uint8Array,
  {
    delaysMs = RETRY_DELAYS_MS,
    isTemporary = error => error instanceof BackendUnavailableError,
  }: { delaysMs?: readonly number[]; isTemporary?: (error: unknown) => boolean } = {},
): Promise<void> {
  let mayHaveArrived = false
  for (const delayMs of [...delaysMs, null]) {
    try {
      await chain.broadcast(rawTx)
      return
    } catch (error) {
      const isRefused = error instanceof BroadcastRejectedError
      if (isRefused && mayHaveArrived && (await isWith(chain, rawTx))) return
      if (delayMs === null || !isTemporary(error)) throw error
      mayHaveArrived ||= !isRefused
      await new Promise(resolve => setTimeout(resolve, delayMs))
    }
  }
}

/** Throws BackendUnavailableError. */
async function isWith(
  chain: Pick<ChainSource, 'fetchTransactionHeight'>,
  rawTx: Uint8Array,
): Promise<boolean> {
  return (await chain.fetchTransactionHeight(txidOf(rawTx))) !== undefined
}

/** The parts of the wallet that keep account of what is signed and not handed over yet. */
export type WithholdingParts = {
  activity: Pick<Activity, 'listSent' | 'record'>
  shownTransactions: Pick<ShownTransactions, 'add'>
}

/** An output of a transaction of ours, and the whole transaction in hex. */
export type PreparedCoin = { txId: string; vOut: number; amount: number; rawTransaction: string }

/**
 * Keeps a signed payment back until something that spends one of its outputs is sent; its inputs stay reserved for a day.
 * Resolves the outputs that it pays, but for the change. May be called again with the same record.
 */
export async function withholdTransaction(
  wallet: WithholdingParts,
  record: SentRecord,
): Promise<PreparedCoin[]> {
  const { txid, network, accountId, fee, rawTx, payment } = record
  const known = await wallet.activity.listSent(network, accountId)
  if (!known.some(other => other.txid === txid)) {
    await wallet.activity.record({ ...record, status: 'unsent' })
    // The site may send it by itself: nobody has to be asked about that again.
    const unsignedTxid = unsignedTxidOf(fromHex(rawTx))
    await wallet.shownTransactions.add([{ unsignedTxid, network, accountId, fee, moves: [] }])
  }
  const outputs = payment?.outputs ?? []
  return outputs.flatMap(({ sats }, vOut) =>
    vOut === payment?.changeIndex
      ? []
      : { txId: txid, vOut, amount: Number(sats), rawTransaction: rawTx },
  )
}

/** Transactions of all accounts that were kept back and that no block has, by txid: servers may not know them (yet). */
export async function listPendingParents(
  wallet: { activity: Pick<Activity, 'listOpenOfAll'> },
  network: Network,
): Promise<ReadonlyMap<string, SentRecord>> {
  const open = await wallet.activity.listOpenOfAll(network)
  const parents = open.filter(
    record => record.kind === 'prepared' && isLive(record) && record.status !== 'confirmed',
  )
  return new Map(parents.map(record => [record.txid, record]))
}
