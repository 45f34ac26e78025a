import { resumeJob as resume } from '../inscribing/job-run.ts'
import { viewJob } from '../inscribing/job-view.ts'
import { withTimeout } from '../primitives/timeout.ts'
import { findOwnJob } from './own-job.ts'
import type { UiMethod } from './ui-context.ts'

const TIMEOUT_MS = 10_000

export const resumeJob: UiMethod<'resumeJob'> = async ({ wallet }, { jobId }) => {
  const { id } = await findOwnJob(wallet, jobId)
  await withTimeout(TIMEOUT_MS, resume(wallet, id))
  return viewJob(wallet, await findOwnJob(wallet, jobId))
}
