import { ExternalLink } from 'lucide-react'
import type { DeliveryProgress } from '../../../background/views/delivery-views.ts'
import type { JobView } from '../../../background/views/inscribe-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { words } from '../../platform/words.ts'
import buttonStyles from '../../ui/button.module.css'
import { classNames } from '../../ui/class-names.ts'
import { nameContentKind } from '../../ui/pictures/inscription-picture.tsx'
import rowStyles from '../../ui/row.module.css'
import { Link } from '../../ui/row.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { formatSize } from '../../ui/text/size-text.ts'
import { TokenMark } from '../../ui/text/token-mark.tsx'
import { JobPicture } from './job-picture.tsx'
import { DELIVERY_STATES, nameItemState } from './job-words.ts'
import styles from './jobs.module.css'

/** Each inscription of a job: what it is, how it stands, and where it can be looked at. */
export function JobItems({ job }: { job: JobView }) {
  const amounts = useAmounts()
  return (
    <section className={layoutStyles.stack}>
      <h2 className={textStyles.muted}>{words(job.etching ? 'runeEtching' : 'jobItems')}</h2>
      <ol className={classNames(rowStyles.rows, styles.items)}>
        {job.items.map((item, index) => {
          const parts = (
            <>
              {job.etching && item.kind === 'none' ? (
                <TokenMark tick={job.etching.symbol} />
              ) : (
                <JobPicture job={job} item={index} size="small" />
              )}
              <span className={rowStyles.text}>
                <span className={rowStyles.title}>
                  {job.items.length > 1 ? `${index + 1}. ` : ''}
                  {job.etching && item.kind === 'none'
                    ? words('etchRune')
                    : nameContentKind(item.kind)}
                </span>{' '}
                <span
                  className={classNames(
                    rowStyles.note,
                    styles.state,
                    styles[job.etching?.takenBy ? 'refused' : item.state],
                  )}
                >
                  {nameItemState(job, item)}
                </span>{' '}
                <span className={rowStyles.note}>
                  {joinFacts([
                    ...(item.kind === 'none' ? [] : [formatSize(item.contentLength)]),
                    // Nothing was paid for a job that was given up or never sent.
                    ...(item.state === 'refunded' || job.state === 'ended'
                      ? []
                      : [words('jobItemFee', { fee: amounts.sats(BigInt(item.fee)) })]),
                  ])}
                </span>
              </span>
            </>
          )
          const to = pathOf(item, job)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
            <li key={index}>
              {to === null ? (
                <span className={rowStyles.row}>{parts}</span>
              ) : (
                <Link to={to} className={rowStyles.row}>
                  {parts}
                </Link>
              )}
              {item.explorerUrl === null || to === null ? null : (
                <a
                  className={buttonStyles.iconButton}
                  href={item.explorerUrl}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={words('jobExplorer', {
                    name: nameContentKind(item.kind),
                    host: new URL(item.explorerUrl).host,
                  })}
                  title={new URL(item.explorerUrl).host}
                >
                  <ExternalLink size={18} aria-hidden />
                </a>
              )}
            </li>
          )
        })}
        {job.delivery ? <DeliveryRow delivery={job.delivery} /> : null}
      </ol>
    </section>
  )
}

/** The transaction that takes it to the receiver. */
function DeliveryRow({ delivery }: { delivery: DeliveryProgress }) {
  const { tick, state, txid, fee } = delivery
  const amounts = useAmounts()
  const isThere = state === 'pending' || state === 'confirmed'
  const parts = (
    <>
      <span className={styles.mark}>
        <TokenMark tick={tick} />
      </span>
      <span className={rowStyles.text}>
        <span className={rowStyles.title}>{words('jobDelivery')}</span>{' '}
        <span
          className={classNames(
            rowStyles.note,
            styles.state,
            styles[state === 'kept' ? 'refunded' : state],
          )}
        >
          {words(DELIVERY_STATES[state])}
        </span>{' '}
        <span className={rowStyles.note}>
          {joinFacts([
            shortenAddress(delivery.to),
            ...(state === 'kept' ? [] : [words('jobItemFee', { fee: amounts.sats(BigInt(fee)) })]),
          ])}
        </span>
      </span>
    </>
  )
  return (
    <li data-testid="job-delivery" data-state={state}>
      {isThere && txid !== null ? (
        <Link to={`/activity/${txid}`} className={rowStyles.row}>
          {parts}
        </Link>
      ) : (
        <span className={rowStyles.row}>{parts}</span>
      )}
    </li>
  )
}

/** Path of the inscription once an index can know it; before, of its reveal or its refund. Null while the network has none of them. */
function pathOf(
  { state, inscriptionId }: JobView['items'][number],
  { state: jobState, etching, delivery }: JobView,
): string | null {
  if (state === 'confirmed' && etching) return `/runes/rune/${encodeURIComponent(etching.name)}`
  // What was delivered is not among the account's own.
  if (state === 'confirmed' && delivery?.state !== 'confirmed')
    return `/inscriptions/${inscriptionId}`
  const isThere =
    state === 'pending' || state === 'confirmed' || (state === 'refunded' && jobState !== 'ended')
  return isThere ? `/activity/${inscriptionId.replace(/i\d+$/, '')}` : null
}
