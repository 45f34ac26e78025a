import { failure } from '../../provider/errors.ts'
import { syncActivity } from './job-activity.ts'
import { assertAnswered, type JobParts, lookAtJob } from './job-run.ts'
import { findCommit, isSeen } from './job-state.ts'

/**
 * Gives a job up whose commit the network does not have, and frees its coins. What was signed stays stored, and the next
 * payment spends a coin of the commit: a server that lied could publish one of the two, and what it published would go on.
 * Throws BUMP_IMPOSSIBLE where the network has the commit, BACKEND_UNAVAILABLE where nobody can tell.
 */
export async function discardJob(wallet: JobParts, id: string): Promise<void> {
  // So that nothing is handed over between the look and the end.
  await wallet.jobs.inTurn(id, () =>
    wallet.jobs.update(id, job => (job.fate === 'open' ? { ...job, fate: 'discarded' } : job)),
  )
  await lookAtJob(wallet, id)
  await wallet.jobs.inTurn(id, async () => {
    const job = await wallet.jobs.find(id)
    if (!job || job.fate === 'over') return
    const isThere = isSeen(job, findCommit(job).txid)
    if (isThere || job.problem?.kind === 'unanswered') {
      await wallet.jobs.update(id, stored => ({ ...stored, fate: 'open' }))
      await syncActivity(wallet, { ...job, fate: 'open' })
    }
    if (isThere) {
      const text = 'The network has the commit: take its money back instead.'
      throw failure('BUMP_IMPOSSIBLE', text, { data: { why: 'ENDED' } })
    }
    assertAnswered(job)
  })
}
