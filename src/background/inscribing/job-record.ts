import type { Network } from '../../bitcoin/network.ts'
import type { SentFee } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import type { SentRecord } from '../activity/sent-records.ts'
import type { ContentKind } from '../views/asset-views.ts'
import type { DeliveryTerms } from '../views/delivery-views.ts'
import type { EtchingView } from '../views/etching-views.ts'
import type { JobView } from '../views/inscribe-views.ts'
import type { StoredInscribing } from './stored-inscribing.ts'

/** A signed transaction of a job; storage has other names for some fields (`stored-job.ts`). Sats are decimal strings, outpoints `txid:vout`. */
export type JobTransaction = {
  txid: string
  /** A `delivery` sends on what the reveal made. */
  kind: 'commit' | 'reveal' | 'refund' | 'delivery'
  /** Outpoints of all its inputs. Output k of a commit is spent by reveals of item k and by refunds. */
  spends: string[]
  /** Txids of the job's other transactions that it spends from: it cannot be there before them. */
  parentTxids: string[]
  fee: string
  vsize: number
  /** As it was asked for, sat/vB. */
  feeRate: number
  /** Of a commit, sats of the output for each item. */
  leafAmounts: string[]
  /** Which signing it came from, from 0. */
  attempt: number
  /** Not handed over any more, as another stands for it for good; it is looked for all the same. */
  dropped?: true
}

/** The rune that a job etches. */
export type JobEtching = {
  shown: EtchingView
  /** Height of the chain when it was last asked; 0 before. */
  tip: number
  /** Txid of an etching of the name that is not the job's, as the index last said; null for none. */
  takenBy: string | null
}

/**
 * Inscribing under way: all that was ever signed for it, oldest first, and what the chain server last said of that. Where a
 * coin has several spenders, the youngest is what the person wants, and any of them may end up in a block.
 */
export type JobRecord = {
  id: string
  network: Network
  accountId: string
  /** Own address that the inscriptions are revealed to. */
  address: string
  origin: string | null
  label: string
  at: number
  /** Sats that stay on each inscription, here or with the receiver. */
  postage: string
  items: { kind: ContentKind; contentType: string | null; contentLength: number }[]
  /** The rune that the only item etches; null for none. */
  etching: JobEtching | null
  /** Who gets the tokens of the only item, a transfer inscription; null where the inscriptions stay. */
  delivery: DeliveryTerms | null
  /** Of the first signing: what the site was told. */
  commitTxid: string
  revealTxids: string[]
  transactions: JobTransaction[]
  /** Ids of the plans that were signed: the first is the job's own. */
  attempts: string[]
  /** So many of them have their records in the activity. */
  recorded: number
  /** Those that the server has, by txid: height, or null in the mempool. */
  seen: { [txid: string]: number | null }
  /** Why those were refused that were, in the node's words, by txid. */
  refused: { [txid: string]: string }
  /** Whether a server ever accepted the commit. */
  wasAccepted: boolean
  /** Another transaction than ours that spends a coin of the commit; `isDeep` once nothing can undo that. */
  conflict: { txid: string; isDeep: boolean } | null
  problem: JobView['problem']
  checkedAt: number
  /** Since when nothing was left to do; null while something is. */
  finishedAt: number | null
  /** `discarded` by the person: nothing is handed over any more. `over` when nobody asks about it again, and its bytes are gone. */
  lifecycle: 'open' | 'discarded' | 'over'
}

/** What one signing made; only this is large, so each is stored apart, once. */
export type JobBytes = {
  /** Null where the commit stays. */
  inscribing: StoredInscribing | null
  /** Hex, by txid. */
  raw: { [txid: string]: string }
  /** Entries of the activity. */
  records: SentRecord[]
}

/** Outpoint that holds what item k is inscribed with. */
export function leafOutpoint(commitTxid: string, item: number): string {
  return `${commitTxid}:${item}`
}

export function feeOf({ fee, vsize }: JobTransaction): SentFee {
  return { fee: BigInt(fee), vsize }
}
