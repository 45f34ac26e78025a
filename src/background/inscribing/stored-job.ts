import type { JobRecord, JobTransaction } from './job-record.ts'

/** A job under the names that storage has had since its first version. */
export type StoredJob = Omit<
  JobRecord,
  'transactions' | 'wasAccepted' | 'conflict' | 'lifecycle' | 'etching' | 'delivery'
> & {
  /** None in what was stored before runes could be etched. */
  etching?: JobRecord['etching']
  /** None in what was stored before tokens could be sent on. */
  delivery?: JobRecord['delivery']
  transactions: StoredJobTransaction[]
  taken: JobRecord['wasAccepted']
  rival: JobRecord['conflict']
  fate: JobRecord['lifecycle']
}

type StoredJobTransaction = Omit<JobTransaction, 'parentTxids' | 'leafAmounts'> & {
  needs: JobTransaction['parentTxids']
  holds: JobTransaction['leafAmounts']
}

export function encodeJob({
  wasAccepted,
  conflict,
  lifecycle,
  transactions,
  etching,
  delivery,
  ...job
}: JobRecord): StoredJob {
  return {
    ...job,
    ...(etching && { etching }),
    ...(delivery && { delivery }),
    transactions: transactions.map(({ parentTxids, leafAmounts, ...one }) => {
      return { ...one, needs: parentTxids, holds: leafAmounts }
    }),
    taken: wasAccepted,
    rival: conflict,
    fate: lifecycle,
  }
}

export function decodeJob({
  taken,
  rival,
  fate,
  transactions,
  etching,
  delivery,
  ...job
}: StoredJob): JobRecord {
  return {
    ...job,
    etching: etching ?? null,
    delivery: delivery ?? null,
    transactions: transactions.map(({ needs, holds, ...one }) => {
      return { ...one, parentTxids: needs, leafAmounts: holds }
    }),
    wasAccepted: taken,
    conflict: rival,
    lifecycle: fate,
  }
}
