import type { JobItemState, JobView } from '../../../background/views/inscribe-views.ts'
import { words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { countSent, countSteps, describeBlocks, describeSent, isPaid } from './job-words.ts'
import styles from './jobs.module.css'

/** A bar with a part for the payment and one for each inscription, or each block that an etching waits for: with the network, in a block, or not yet. */
export function JobProgress({ job }: { job: JobView }) {
  const { commit, etching, delivery } = job
  const paid = commit.confirmed ? 'confirmed' : isPaid(job) ? 'pending' : 'waiting'
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={etching ? etching.needed : countSteps(job)}
      aria-valuenow={etching ? etching.confirmations : countSent(job)}
      aria-label={words(etching ? 'runeEtching' : 'jobItems')}
      aria-valuetext={etching ? describeBlocks(etching) : describeSent(job)}
      data-testid="job-progress"
    >
      <span className={classNames(styles.part, styles[paid])} />
      {listParts(job).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
        <span key={index} className={classNames(styles.part, styles[part])} />
      ))}
      {delivery ? (
        <span
          className={classNames(
            styles.part,
            styles[delivery.state === 'kept' ? 'refunded' : delivery.state],
          )}
        />
      ) : null}
    </div>
  )
}

/** How each item stands; of an etching, each block that it waits for. */
function listParts({ items, etching }: JobView): JobItemState[] {
  if (etching === null) return items.map(({ state }) => state)
  return Array.from({ length: etching.needed }, (_, at) =>
    at < etching.confirmations ? 'confirmed' : 'waiting',
  )
}
