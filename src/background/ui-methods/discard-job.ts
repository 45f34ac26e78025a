import { discardJob as discard } from '../inscribing/job-run.ts'
import { findOwnJob } from './own-job.ts'
import type { UiMethod } from './ui-context.ts'

export const discardJob: UiMethod<'discardJob'> = async ({ wallet }, { jobId }) => {
  await discard(wallet, (await findOwnJob(wallet, jobId)).id)
  return null
}
