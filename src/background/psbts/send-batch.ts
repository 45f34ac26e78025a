import { fromHex } from '../../bitcoin/bytes.ts'
import { listUnproven } from '../../bitcoin/psbt/prevouts.ts'
import { foreseeTransaction } from '../../bitcoin/psbt/txid.ts'
import { parseTransaction, txidOf } from '../../bitcoin/transaction.ts'
import { invalidParams, ProviderError } from '../../provider/errors.ts'
import type { BatchItemParam } from '../../provider/push-params.ts'
import type { SentRecord } from '../activity/activity.ts'
import type { OwnCoin } from '../coins/spent-assets.ts'
import { log } from '../primitives/log.ts'
import { fetchKnownTransactions } from '../sending/known-transactions.ts'
import {
  broadcastTransaction,
  giveUpSending,
  recordSending,
  type SendingParts,
} from '../sending/outgoing.ts'
import type { BatchAbout, SendBatchReview } from '../views/psbt-views.ts'
import { completePsbt, parseCompletePsbt } from './complete-psbt.ts'
import {
  gatherFacts,
  type Push,
  type PushContext,
  parseRawTransaction,
  preparePush,
  type SignedTransaction,
} from './push.ts'
import { orderBatch } from './transaction-batch.ts'

/** What activity keeps for handing transactions over again, and what fits into the storage of a request twice. */
const MAX_RAW_DIGITS = 1_600_000

/**
 * Completes the transactions of a batch, puts them in order, and looks at each as if the others were with the network.
 * Throws -32602 that names the item, and PROTECTED_ASSET.
 */
export async function prepareBatch(
  context: PushContext,
  items: readonly BatchItemParam[],
): Promise<{ review: SendBatchReview; batch: SignedBatch; own: OwnCoin[] }> {
  const signed = await readTransactions(context, items)
  if (signed.reduce((sum, { rawTx }) => sum + rawTx.length, 0) > MAX_RAW_DIGITS) {
    throw invalidParams('txs', items, `transactions of at most ${MAX_RAW_DIGITS / 2} bytes in all`)
  }
  const members = signed.map(({ item, rawTx }) => ({
    itemId: item.itemId,
    dependsOn: item.dependItemId,
    transaction: parseTransaction(fromHex(rawTx)),
  }))
  const order = orderBatch(members)
  const facts = await gatherFacts(context, signed)
  const pushes = await Promise.all(
    signed.map(async each => {
      const about = describeItem(each.item)
      const push = await preparePush(context, each, facts, about)
      return { itemId: each.item.itemId, about, ...push }
    }),
  )
  const steps = order.flatMap(({ index, parents }) => {
    const push = pushes[index]
    const ids = parents.flatMap(parent => pushes[parent]?.itemId ?? [])
    return push ? [{ push, parents: ids }] : []
  })
  return {
    review: reviewBatch(steps.map(({ push }) => push)),
    own: steps.flatMap(({ push }) => push.own),
    batch: {
      itemIds: items.map(({ itemId }) => itemId),
      steps: steps.map(({ push: { itemId, record }, parents }) => ({ itemId, parents, record })),
    },
  }
}

type SignedItem = SignedTransaction & { item: BatchItemParam }

/** An input may spend what another item makes: that is taken from the batch, and everything else from the server. */
async function readTransactions(
  { wallet, network }: PushContext,
  items: readonly BatchItemParam[],
): Promise<SignedItem[]> {
  const read = items.map((item, at) => {
    const field = `txs[${at}].signedTx`
    if ('rawTx' in item.signedTx) {
      const signed = parseRawTransaction(field, item.signedTx.rawTx)
      const raw = fromHex(signed.rawTx)
      return { txid: txidOf(raw), raw, unproven: [], complete: async () => ({ item, ...signed }) }
    }
    const psbt = parseCompletePsbt(field, item.signedTx.psbt)
    return {
      ...foreseeTransaction(psbt),
      unproven: listUnproven(psbt),
      complete: async (previous: ReadonlyMap<string, Uint8Array>) => ({
        item,
        ...(await completePsbt(field, psbt, previous)),
      }),
    }
  })
  const ofBatch = new Map(read.map(({ txid, raw }) => [txid, raw]))
  const missing = read.flatMap(({ unproven }) => unproven).filter(txid => !ofBatch.has(txid))
  const fetched = await fetchKnownTransactions(wallet, network, missing)
  const previous = new Map([...fetched, ...ofBatch])
  const completed: SignedItem[] = []
  for (const { complete } of read) completed.push(await complete(previous))
  return completed
}

/** Other numbers are accepted, and say nothing. */
function describeItem({ type, inscription }: BatchItemParam): BatchAbout {
  if (type === 52) return { kind: 'brc-20', inscription }
  if (type === 20) return { kind: 'nft', inscription }
  return null
}

type BatchPush = Omit<Push, 'record' | 'own'> &
  Pick<SendBatchReview['items'][number], 'itemId' | 'about'>

function reviewBatch(pushes: readonly BatchPush[]): SendBatchReview {
  const items = pushes.map(({ itemId, about, review, clean }) => ({
    itemId,
    about,
    ...review,
    clean,
  }))
  const fees = items.map(({ fee }) => fee)
  const total = (sats: readonly (string | null)[]) =>
    String(sats.reduce((sum, each) => sum + BigInt(each ?? 0), 0n))
  return {
    kind: 'send-batch',
    items,
    total: {
      netCost: total(items.map(({ netCost }) => netCost)),
      fee: fees.includes(null) ? null : total(fees),
    },
  }
}

/** Transactions on their way: `steps` in the order of broadcast, each after its parents; `itemIds` as the site gave them. */
export type SignedBatch = {
  itemIds: string[]
  steps: { itemId: string; parents: string[]; record: SentRecord }[]
}

/** The same batch, approved at this time. */
export function approveAt(at: number, { itemIds, steps }: SignedBatch): SignedBatch {
  return {
    itemIds,
    steps: steps.map(({ record, ...step }) => ({ ...step, record: { ...record, at } })),
  }
}

/**
 * Hands a batch to the network; resolves the txid of each item, or null for one that was refused, that nobody answered for
 * (it may have arrived, and activity tries it again), that something unexpected stopped, or whose parent came to nothing:
 * that is not sent. May be called again with the same batch, in another worker too. Throws, mostly BACKEND_UNAVAILABLE,
 * when nothing at all was answered.
 */
export async function sendBatch(
  wallet: SendingParts,
  { itemIds, steps }: SignedBatch,
): Promise<{ [itemId: string]: string | null }[]> {
  const { sent, failures } = await sendSteps(wallet, steps)
  const unanswered = failures.filter(error => !isFailure(error, 'BROADCAST_REJECTED'))
  const isAnswered = sent.size > 0 || unanswered.length < failures.length
  if (unanswered.length > 0 && !isAnswered) throw unanswered[0]
  return itemIds.map(itemId => ({ [itemId]: sent.get(itemId) ?? null }))
}

/**
 * Broadcasts each transaction whose parents were accepted; resolves the txids by item, and why others were not. All are on
 * record before the first leaves; what spends an output of a refused one is not sent, and its coins are free again.
 */
export async function sendSteps(wallet: SendingParts, steps: SignedBatch['steps']) {
  const withheld = await recordSending(
    wallet,
    steps.map(({ parents, record }) => {
      const after = steps.flatMap(one => (parents.includes(one.itemId) ? one.record.txid : []))
      return after.length > 0 ? { ...record, after } : record
    }),
  )
  const sent = new Map<string, string>()
  const refused = new Set<string>()
  const failures: unknown[] = []
  for (const { itemId, parents, record } of steps) {
    if (parents.some(parent => refused.has(parent))) {
      refused.add(itemId)
      await giveUpSending(wallet, record, withheld.has(record.txid))
    } else if (parents.every(parent => sent.has(parent))) {
      try {
        sent.set(itemId, await broadcastTransaction(wallet, record))
      } catch (error) {
        failures.push(error)
        if (isFailure(error, 'BROADCAST_REJECTED')) refused.add(itemId)
        else if (!isFailure(error, 'BACKEND_UNAVAILABLE')) log(`Item ${itemId} was not sent`, error)
      }
    }
  }
  return { sent, failures }
}

function isFailure(error: unknown, reason: string): boolean {
  return error instanceof ProviderError && error.data?.reason === reason
}
