/**
 * What the account has sent and received, and each transaction with what can still be done about it. It shows what the
 * background recorded and the chain says; it never guesses how a transaction will end.
 */

import { Download, History } from 'lucide-react'
import { type CSSProperties, useMemo } from 'react'
import type { ActivityEntry } from '../../../background/views/activity-views.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { saveFile } from '../../platform/save-file.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ServerNotice } from '../../state/server-notice.tsx'
import { subjectOf } from '../../state/use-overview.ts'
import { useTask } from '../../state/use-task.ts'
import { IconButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Sentinel } from '../../ui/sentinel.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatMonth } from '../../ui/text/time-text.ts'
import { showToast } from '../../ui/toast.tsx'
import styles from './activity.module.css'
import { EntryRow } from './entry-row.tsx'
import { groupEntries } from './merge-page.ts'
import { useEntries } from './use-entries.ts'

const ROWS = 10

/** Everything that happened on the account, newest first, loaded as it scrolls. */
export function Activity({ state }: PageProps) {
  const { entries, more, serverProblem, problem, busy, refresh, loadMore } = useEntries(
    subjectOf(state),
  )
  const groups = useMemo(() => groupEntries(entries ?? []), [entries])
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const task = useTask()
  const exportAll = async () => {
    if (task.busy) return
    await task.run(async () => {
      const { csv, complete } = await call('exportActivity', null)
      saveFile(
        `satchel ${account?.name ?? ''}.csv`,
        new Blob([csv], { type: 'text/csv;charset=utf-8' }),
      )
      showToast(words(complete ? 'activityExported' : 'activityExportedPart'))
    })
  }
  return (
    <Screen
      head={
        <>
          <BackButton onBack={goBack} />
          <span className={layoutStyles.push}>
            <IconButton label={words('activityExport')} onClick={() => void exportAll()}>
              <Download size={20} aria-hidden />
            </IconButton>
          </span>
        </>
      }
    >
      <Title>{words('activityTitle')}</Title>
      <p className={task.busy ? textStyles.muted : textStyles.visuallyHidden} role="status">
        {task.busy ? words('activityExporting') : ''}
      </p>
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      {serverProblem ? (
        <ServerNotice problem={serverProblem} busy={busy} onRetry={refresh} />
      ) : null}
      {entries === null ? (
        problem ? null : (
          <SkeletonRows count={6} />
        )
      ) : entries.length === 0 ? (
        <Empty icon={<History size={20} aria-hidden />} title={words('activityEmptyTitle')}>
          {words(serverProblem ? 'activityEmptyOffline' : 'activityEmpty')}
        </Empty>
      ) : (
        groups.map(({ key, month, entries }) => (
          <section key={`${key} ${entries[0]?.txid}`} className={styles.month}>
            <h2>
              {month === null
                ? words(key === 'unsent' ? 'activityUnsent' : 'activityWaiting')
                : formatMonth(month)}
            </h2>
            {cutRows(entries).map(rows => (
              <ul key={rows[0]?.txid} className={rowStyles.plainRows} style={rowCount(rows.length)}>
                {rows.map(entry => (
                  <EntryRow key={entry.txid} entry={entry} />
                ))}
              </ul>
            ))}
          </section>
        ))
      )}
      {problem ? (
        <RetryNotice
          tone="danger"
          problem={problem}
          busy={busy}
          onRetry={entries ? loadMore : refresh}
        />
      ) : null}
      {more && !problem && !serverProblem ? (
        // Checked again after each answer, also after one that added nothing.
        <Sentinel turn={busy ? -1 : (entries?.length ?? 0)} onNear={loadMore} />
      ) : null}
    </Screen>
  )
}

/** Entries per list: what comes into sight is laid out a list at a time, and one of 50 takes longer than a frame. */
function cutRows(entries: ActivityEntry[]): ActivityEntry[][] {
  return Array.from({ length: Math.ceil(entries.length / ROWS) }, (_, at) =>
    entries.slice(at * ROWS, (at + 1) * ROWS),
  )
}

/** For the style sheet, which knows how high a row is. */
function rowCount(rows: number): CSSProperties {
  return { '--rows': rows } as CSSProperties
}
