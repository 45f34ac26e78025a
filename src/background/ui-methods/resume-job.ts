import { resumeJob as resume } from '../inscribing/job-run.ts'
import { viewJob } from '../inscribing/job-view.ts'
import { waitAtMost } from '../primitives/timeout.ts'
import { findOwnJob } from './own-job.ts'
import type { UiMethod } from './ui-context.ts'

const PATIENCE_MS = 10_000

export const resumeJob: UiMethod<'resumeJob'> = async ({ wallet }, { jobId }) => {
  const { id } = await findOwnJob(wallet, jobId)
  await waitAtMost(PATIENCE_MS, resume(wallet, id))
  return viewJob(wallet, await findOwnJob(wallet, jobId))
}
