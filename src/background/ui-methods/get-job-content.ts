import { parseIndex } from '../../provider/params.ts'
import { loadItemContent } from '../inscribing/job-content.ts'
import { findOwnJob } from './own-job.ts'
import type { UiMethod } from './ui-context.ts'

export const getJobContent: UiMethod<'getJobContent'> = async ({ wallet }, { jobId, item }) => {
  const job = await findOwnJob(wallet, jobId)
  return loadItemContent(wallet, job, parseIndex('item', item, job.items.length - 1))
}
