import { invalidParams } from '../../provider/errors.ts'
import { parseString } from '../../provider/params.ts'
import type { JobRecord } from '../inscribing/job-record.ts'
import { loadSelected } from './selected-account.ts'
import type { Wallet } from './ui-context.ts'

/** Jobs of the account in use, newest first, those too that it had when it was in the wallet before. Throws 4100 while locked. */
export async function listOwnJobs(wallet: Wallet): Promise<JobRecord[]> {
  const { network, account } = await loadSelected(wallet)
  const jobs = await wallet.jobs.list()
  return jobs.filter(job => job.network === network && job.address === account.address)
}

/** Throws -32602 for one that is none of theirs. */
export async function findOwnJob(wallet: Wallet, jobId: unknown): Promise<JobRecord> {
  const id = parseString('jobId', jobId, 64)
  const job = (await listOwnJobs(wallet)).find(one => one.id === id)
  if (!job) throw invalidParams('jobId', id, 'a job of this account')
  return job
}
