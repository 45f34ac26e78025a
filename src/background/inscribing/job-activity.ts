import type { ChainSource } from '../../chain/chain-source.ts'
import type { Activity } from '../activity/activity.ts'
import type { SentRecord } from '../activity/sent-records.ts'
import { applyFinding, withStatus } from '../activity/sent-status.ts'
import type { Sources } from '../settings/servers.ts'
import type { JobRecord, JobTransaction } from './job-record.ts'
import { findSuccessor } from './job-state.ts'
import type { Jobs } from './jobs.ts'

/** What a job leaves in the activity of its account, which reserves its coins. */

/** The parts of the wallet that keep a job and its entries in the activity. */
export type JobRecordParts = {
  jobs: Jobs
  activity: Pick<Activity, 'recordAll' | 'setLabel' | 'change'>
}

/** Puts the transactions of its signings on record, each once; nothing is handed over before that. */
export async function recordJob(wallet: JobRecordParts, job: JobRecord): Promise<void> {
  for (let attempt = job.recorded; attempt < job.attempts.length; attempt++) {
    const { records = [] } = (await wallet.jobs.loadBytes(job, attempt)) ?? {}
    // The account may be part of another one by now.
    const { accountId } = job
    await wallet.activity.recordAll(records.map(record => ({ ...record, accountId })))
    const commit = records.find(({ kind }) => kind === 'commit')
    if (commit && job.label !== '')
      await wallet.activity.setLabel(job.network, commit.txid, job.label)
    await wallet.jobs.update(job.id, stored => ({
      ...stored,
      recorded: Math.max(stored.recorded, attempt + 1),
    }))
  }
}

/** Brings the activity to what is known of a job. */
export async function syncActivity(
  wallet: JobRecordParts & Pick<Sources, 'chain'>,
  job: JobRecord,
): Promise<void> {
  const chain = await wallet.chain(job.network)
  const isThere = ({ txid }: JobTransaction) => job.seen[txid] !== undefined
  const ordered = [
    ...job.transactions.filter(isThere),
    ...job.transactions.filter(one => !isThere(one)),
  ]
  return wallet.activity.change(open =>
    ordered.reduce<readonly SentRecord[]>((records, one) => {
      const record = records.find(({ txid }) => txid === one.txid)
      return record ? applyToRecord(chain, records, record, job, one) : records
    }, open),
  )
}

function applyToRecord(
  chain: ChainSource,
  records: readonly SentRecord[],
  record: SentRecord,
  job: JobRecord,
  one: JobTransaction,
): readonly SentRecord[] {
  const { txid } = one
  const height = job.seen[txid]
  if (typeof height === 'number')
    return applyFinding(records, record, { is: 'in-block', height }, chain)
  if (height === null) return applyFinding(records, record, { is: 'waiting' }, chain)
  const by = findSuccessor(job, one) ?? job.conflict?.txid ?? null
  if (by !== null) return withStatus(records, txid, 'replaced', { replacedBy: by })
  if (one.dropped || job.lifecycle === 'discarded') return withStatus(records, txid, 'failed')
  return withStatus(records, txid, 'sending')
}
