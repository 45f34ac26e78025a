import { ExternalLink } from 'lucide-react'
import type { JobView } from '../../../background/views/inscribe-views.ts'
import { words } from '../../platform/words.ts'
import { nameContentKind } from '../../ui/pictures/inscription-picture.tsx'
import { Link } from '../../ui/row.tsx'
import { nameSats } from '../../ui/text/btc-digits.ts'
import { formatSize } from '../../ui/text/size-text.ts'
import { JobPicture } from './job-picture.tsx'
import { nameItemState } from './job-words.ts'

/** Each inscription of a job: what it is, how it stands, and where it can be looked at. */
export function JobItems({ job }: { job: JobView }) {
  return (
    <section className="stack">
      <h2 className="muted">{words('jobItems')}</h2>
      <ol className="rows job-items">
        {job.items.map((item, index) => {
          const parts = (
            <>
              <JobPicture job={job} item={index} size="small" />
              <span className="row-text">
                <span className="row-title">
                  {job.items.length > 1 ? `${index + 1}. ` : ''}
                  {nameContentKind(item.kind)}
                </span>{' '}
                <span className={`row-note item-state ${item.state}`}>
                  {nameItemState(job, item)}
                </span>{' '}
                <span className="row-note">
                  {[
                    ...(item.kind === 'none' ? [] : [formatSize(item.contentLength)]),
                    // Nothing was paid for a job that was given up or never sent.
                    ...(item.state === 'refunded' || job.state === 'ended'
                      ? []
                      : [words('jobItemFee', { fee: nameSats(BigInt(item.fee)) })]),
                  ].join(' · ')}
                </span>
              </span>
            </>
          )
          const to = pathOf(item, job.state)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
            <li key={index}>
              {to === null ? (
                <span className="row">{parts}</span>
              ) : (
                <Link to={to} className="row">
                  {parts}
                </Link>
              )}
              {item.explorerUrl === null || to === null ? null : (
                <a
                  className="icon-button"
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
      </ol>
    </section>
  )
}

/** Path of the inscription once an index can know it; before, of its reveal or its refund. Null while the network has none of them. */
function pathOf(
  { state, inscriptionId }: JobView['items'][number],
  jobState: JobView['state'],
): string | null {
  if (state === 'confirmed') return `/inscriptions/${inscriptionId}`
  const isThere = state === 'pending' || (state === 'refunded' && jobState !== 'ended')
  return isThere ? `/activity/${inscriptionId.replace(/i\d+$/, '')}` : null
}
