import type { SiteView } from '../../../background/views/settings-views.ts'
import { words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import pillStyles from '../../ui/styles/pill.module.css'
import { formatAgo, formatMoment } from '../../ui/text/time-text.ts'
import styles from './sites.module.css'

/** When a site used its connection last. */
export function describeUse({ usedAt }: SiteView): string {
  return usedAt === null
    ? words('siteNotUsed')
    : words('siteUsed', { when: formatAgo(usedAt, Date.now()) })
}

/** When its connection ends by itself; nothing where it does not. */
export function SitePills({ site }: { site: SiteView }) {
  const ends = site.grants.flatMap(({ endsAt }) => endsAt ?? [])
  const withLock = site.grants.some(({ endsWithLock }) => endsWithLock)
  if (ends.length === 0 && !withLock) return null
  return (
    <span className={styles.pills}>
      {ends.length > 0 ? (
        <span className={classNames(pillStyles.pill, pillStyles.test)}>
          {words('siteEndsAt', { when: formatMoment(Math.min(...ends)) })}
        </span>
      ) : null}
      {withLock ? (
        <span className={classNames(pillStyles.pill, pillStyles.test)}>
          {words('siteTermLock')}
        </span>
      ) : null}
    </span>
  )
}
