import { History } from 'lucide-react'
import type { ActivityEntry } from '../../../background/views/activity-views.ts'
import { words } from '../../platform/words.ts'
import { Empty } from '../../ui/empty.tsx'
import { Link } from '../../ui/row.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EntryRow } from '../activity/entry-row.tsx'

type NewestActivityProps = {
  /** Null while they are not known. */
  entries: ActivityEntry[] | null
  more: boolean
  /** Nothing could be asked. */
  failed: boolean
  /** The server is silent: there may be more. */
  offline: boolean
}

/** The first entries of the activity and the way to all of it. */
export function NewestActivity({ entries, more, failed, offline }: NewestActivityProps) {
  if (entries === null && failed) return null
  return (
    <section className="newest" aria-label={words('activityTitle')}>
      <div className="section-head">
        <h2>{words('activityTitle')}</h2>
        {more || (entries !== null && entries.length > 0) ? (
          <Link to="/activity">{words('homeSeeAll')}</Link>
        ) : null}
      </div>
      {entries !== null && entries.length > 0 ? (
        <ul className="plain-rows">
          {entries.map(entry => (
            <EntryRow key={entry.txid} entry={entry} />
          ))}
        </ul>
      ) : entries !== null ? (
        <Empty icon={<History size={20} aria-hidden />} title={words('activityEmptyTitle')}>
          {words(offline ? 'activityEmptyOffline' : 'activityEmpty')}
        </Empty>
      ) : (
        <SkeletonRows count={3} />
      )}
    </section>
  )
}
