import { checkDoubted } from './headers/chain-state.ts'
import { type JobParts, refreshJobs } from './inscribing/job-run.ts'
import { isUnderWay } from './inscribing/job-schedule.ts'
import { isMintWatched, type Mints } from './minting/mint-jobs.ts'
import { type MintRunParts, refreshMints } from './minting/mint-run.ts'

/** Inscribings and mints together, as the browser's alarm wakes the worker for both. */

/** Whether an alarm should wake the worker for any of them, though no page is open. */
export async function areUnderWay({
  jobs,
  mints,
  now,
}: Pick<JobParts, 'jobs' | 'now'> & { mints: Pick<Mints, 'list'> }): Promise<boolean> {
  if ((await mints.list()).some(job => isMintWatched(job, now()))) return true
  return (await jobs.list()).some(job => isUnderWay(job, now()))
}

/** Carries all on that are due; what the newest blocks leave in doubt is looked at first, and its failure goes to `report`. */
export async function refreshAll(
  wallet: JobParts & MintRunParts & Parameters<typeof checkDoubted>[0],
  mode: 'due' | 'news',
  report: (error: unknown) => void,
): Promise<void> {
  const [inscribed, minted] = await Promise.all([wallet.jobs.list(), wallet.mints.list()])
  if (inscribed.length + minted.length === 0) return
  await checkDoubted(wallet).catch(report)
  await Promise.all([
    inscribed.length > 0 && refreshJobs(wallet, mode),
    minted.length > 0 && refreshMints(wallet, mode),
  ])
}
