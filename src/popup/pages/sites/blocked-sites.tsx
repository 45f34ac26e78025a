import { useRef } from 'react'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { showToast } from '../../ui/toast.tsx'
import styles from './sites.module.css'

/** The sites that the person has blocked; nothing where there are none. */
export function BlockedSites() {
  const { answer, problem, retry } = useQuery(() => call('getBlockedSites', null), '', [
    'blockedSites',
  ])
  const title = useRef<HTMLHeadingElement>(null)
  const task = useTask()
  const unblock = (origin: string) =>
    task.run(async () => {
      await call('unblockSite', { origin })
      // The button that had the focus goes, and with the last one all of this.
      const next = answer?.length === 1 ? document.querySelector('h1') : title.current
      next?.focus()
      retry()
      showToast(words('sitesUnblocked'))
    })
  const failure = task.failure ?? (answer === null ? problem : null)
  if (!failure && (answer === null || answer.length === 0)) return null
  return (
    <section className={layoutStyles.stack}>
      <h2 ref={title} tabIndex={-1}>
        {words('sitesBlocked')}
      </h2>
      <p className={textStyles.muted}>{words('sitesBlockedLead')}</p>
      <ul className={styles.blocked}>
        {answer?.map(({ origin }) => (
          <li key={origin}>
            <span className={classNames(textStyles.mono, textStyles.breakable)}>{origin}</span>
            <Button
              variant="quiet"
              aria-label={`${words('sitesUnblock')}: ${origin}`}
              busy={task.busy}
              onClick={() => void unblock(origin)}
            >
              {words('sitesUnblock')}
            </Button>
          </li>
        ))}
      </ul>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </section>
  )
}
