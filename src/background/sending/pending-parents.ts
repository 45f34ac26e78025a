import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { Activity, SentRecord } from '../activity/activity.ts'
import { isLive } from '../activity/sent-status.ts'
import { type ShownTransactions, unsignedTxidOf } from './shown-transactions.ts'

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
