import type { JobView } from '../../../background/views/inscribe-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../app/rpc.ts'
import { type Asked, useAnswer } from '../../state/use-answer.ts'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { isOpen } from './job-words.ts'

/** What the list of jobs depends on. */
const JOBS_NEWS = [...NEWS, 'jobs']

const PAUSE_MS = 5000

/** The inscribing jobs of the account in use, newest first. */
export function useJobs(state: WalletState): Asked<JobView[]> {
  return useAnswer(() => call('getJobs', null), subjectOf(state), JOBS_NEWS)
}

/**
 * One of them; while it is under way it is asked about again and again. Each question lets the wallet look at the job, which
 * is written down: news of that are no reason to ask again.
 */
export function useJob(state: WalletState, jobId: string): Asked<JobView> {
  return useAnswer(
    () => call('getJob', { jobId }),
    `${subjectOf(state)} ${jobId}`,
    NEWS,
    job => (isOpen(job) ? PAUSE_MS : null),
  )
}
