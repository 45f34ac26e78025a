import type { JobView } from '../../../background/views/inscribe-views.ts'
import { words } from '../../platform/words.ts'
import { countSent, describeSent, isPaid } from './job-words.ts'

/** A bar with a part for the payment and one for each inscription: with the network, in a block, or not yet. */
export function JobProgress({ job }: { job: JobView }) {
  const { commit, items } = job
  const paid = commit.confirmed ? 'confirmed' : isPaid(job) ? 'pending' : 'waiting'
  return (
    <div
      className="job-progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={items.length}
      aria-valuenow={countSent(job)}
      aria-label={words('jobItems')}
      aria-valuetext={describeSent(job)}
      data-testid="job-progress"
    >
      <span className={`part ${paid}`} />
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
        <span key={index} className={`part ${item.state}`} />
      ))}
    </div>
  )
}
