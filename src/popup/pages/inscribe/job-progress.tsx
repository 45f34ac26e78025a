import type { JobView } from '../../../background/ui-methods/inscribe-views.ts'
import { currentLanguage, words } from '../../words.ts'
import { countMade } from './job-words.ts'

/** A bar with a part for the payment and one for each inscription: with the network, in a block, or not yet. */
export function JobProgress({ job }: { job: JobView }) {
  const { commit, items, state } = job
  const made = countMade(job)
  const paid = commit.confirmed ? 'confirmed' : state === 'sending' ? 'waiting' : 'pending'
  return (
    <div
      className="job-progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={items.length}
      aria-valuenow={made}
      aria-label={words('jobItems')}
      aria-valuetext={words('jobMade', {
        made: made.toLocaleString(currentLanguage()),
        count: items.length.toLocaleString(currentLanguage()),
      })}
      data-testid="job-progress"
    >
      <span className={`part ${state === 'ended' ? 'refunded' : paid}`} />
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
        <span key={index} className={`part ${item.state}`} />
      ))}
    </div>
  )
}
