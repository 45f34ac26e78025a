import type { JobView } from '../../../background/views/inscribe-views.ts'
import { words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { countSent, countSteps, describeBlocks, describeSent, isPaid } from './job-words.ts'
import styles from './jobs.module.css'

/** A bar with a part for the payment and one for each inscription: with the network, in a block, or not yet. */
export function JobProgress({ job }: { job: JobView }) {
  const { commit, items, etching, delivery } = job
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
      {etching ? (
        Array.from({ length: etching.needed }, (_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place
            key={`block ${at}`}
            className={classNames(
              styles.part,
              styles[at < etching.confirmations ? 'confirmed' : 'waiting'],
            )}
          />
        ))
      ) : (
        <span className={classNames(styles.part, styles[paid])} />
      )}
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
        <span key={index} className={classNames(styles.part, styles[item.state])} />
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
