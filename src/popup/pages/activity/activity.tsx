/**
 * What the account has sent and received, and each transaction with what can still be done about it. It shows what the
 * background recorded and the chain says; it never guesses how a transaction will end.
 */

import { Download, History } from 'lucide-react'
import { useMemo } from 'react'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { saveFile } from '../../platform/save-file.ts'
import { useWide } from '../../platform/wide.ts'
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
import { cutRows, rowCount } from '../../ui/table/table-rows.ts'
import { sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import styles from './activity.module.css'
import { nameGroup } from './entry-groups.ts'
import { EntryRow } from './entry-row.tsx'
import { EntryTable } from './entry-table.tsx'
import { groupEntries } from './merge-page.ts'
import { useEntries } from './use-entries.ts'

/** Everything that happened on the account, newest first, loaded as it scrolls. */
export function Activity({ state }: PageProps) {
  const { entries, more, serverProblem, problem, busy, refresh, retry, loadMore } = useEntries(
    subjectOf(state),
  )
  const groups = useMemo(() => groupEntries(entries ?? []), [entries])
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const task = useTask()
  const isWide = useWide()
  const exportAll = async () => {
    if (task.busy) return
    await task.run(async () => {
      const { csv, complete } = await call('exportActivity', { unnamed: words('accountUnnamed') })
      saveFile(
        `satchel ${account ? sayName(account.name) : ''}.csv`,
        new Blob([csv], { type: 'text/csv;charset=utf-8' }),
      )
      showToast(words(complete ? 'activityExported' : 'activityExportedPart'))
    })
  }
  return (
    <Screen
      room="table"
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
      ) : isWide ? (
        <EntryTable groups={groups} />
      ) : (
        groups.map(group => (
          <section key={`${group.key} ${group.entries[0]?.txid}`} className={styles.month}>
            <h2>{nameGroup(group)}</h2>
            {cutRows(group.entries).map(rows => (
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
          onRetry={entries ? retry : refresh}
        />
      ) : null}
      {more && !problem && !serverProblem ? (
        // Checked again after each answer, also after one that added nothing.
        <Sentinel turn={busy ? -1 : (entries?.length ?? 0)} onNear={loadMore} />
      ) : null}
    </Screen>
  )
}
