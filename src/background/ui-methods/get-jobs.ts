import { stateOf } from '../inscribing/job-state.ts'
import { viewJob } from '../inscribing/job-view.ts'
import { listOwnJobs } from './own-job.ts'
import type { UiMethod } from './ui-context.ts'

export const getJobs: UiMethod<'getJobs'> = async ({ wallet }) => {
  const jobs = await listOwnJobs(wallet)
  // What the person gave up is shown again only when the network has it after all.
  const shown = jobs.filter(job => job.fate !== 'discarded' || stateOf(job) !== 'ended')
  return Promise.all(shown.map(job => viewJob(wallet, job)))
}
