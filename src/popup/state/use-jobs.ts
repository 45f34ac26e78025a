import type { JobView } from '../../background/views/inscribe-views.ts'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { call } from '../platform/rpc.ts'
import { NEWS, subjectOf } from './use-overview.ts'
import { type Query, useQuery } from './use-query.ts'

/** What the list of jobs depends on. */
const JOBS_NEWS = [...NEWS, 'jobs']

const PAUSE_MS = 5000

/** The inscribing jobs of the account in use, newest first. */
export function useJobs(state: WalletState): Query<JobView[]> {
  return useQuery(() => call('getJobs', null), subjectOf(state), JOBS_NEWS)
}

/**
 * One of them, asked about again every few seconds while it is under way. Each question makes the background check the job and
 * store the result, so a change of `jobs` in storage is no reason to ask again.
 */
export function useJob(state: WalletState, jobId: string): Query<JobView> {
  return useQuery(
    () => call('getJob', { jobId }),
    `${subjectOf(state)} ${jobId}`,
    NEWS,
    job => (isJobOpen(job) ? PAUSE_MS : null),
  )
}

/** Whether something of it is still under way, or waits for the person. */
export function isJobOpen({ state }: JobView): boolean {
  return state !== 'done' && state !== 'refunded' && state !== 'ended'
}
