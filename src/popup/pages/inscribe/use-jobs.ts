import type { JobView } from '../../../background/ui-methods/inscribe-views.ts'
import type { WalletState } from '../../../background/ui-methods/ui-methods.ts'
import { call } from '../../rpc.ts'
import { type Asked, useAnswer } from '../../use-answer.ts'
import { NEWS, subjectOf } from '../../use-overview.ts'
import { isOpen } from './job-words.ts'

/** What a job's answer depends on. */
const JOB_NEWS = [...NEWS, 'jobs']

const PAUSE_MS = 5000

/** The inscribing jobs of the account in use, newest first. */
export function useJobs(state: WalletState): Asked<JobView[]> {
  return useAnswer(() => call('getJobs', null), subjectOf(state), JOB_NEWS)
}

/** One of them; while it is under way it is asked about again and again. */
export function useJob(state: WalletState, jobId: string): Asked<JobView> {
  return useAnswer(
    () => call('getJob', { jobId }),
    `${subjectOf(state)} ${jobId}`,
    JOB_NEWS,
    job => (isOpen(job) ? PAUSE_MS : null),
  )
}
