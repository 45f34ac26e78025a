import { refreshJob } from '../inscribing/job-run.ts'
import { viewJob } from '../inscribing/job-view.ts'
import { withTimeout } from '../primitives/timeout.ts'
import { findOwnJob } from './own-job.ts'
import type { UiMethod } from './ui-context.ts'

/** What is stored is shown after this, whatever the server does. */
const TIMEOUT_MS = 5000

export const getJob: UiMethod<'getJob'> = async ({ wallet }, { jobId }) => {
  const { id } = await findOwnJob(wallet, jobId)
  await withTimeout(TIMEOUT_MS, refreshJob(wallet, id))
  return viewJob(wallet, await findOwnJob(wallet, jobId))
}
