import { joinFacts } from '../../platform/join-facts.ts'
import { isKeyless } from '../../state/can-sign.ts'
/**
 * Inscribing jobs: commits and reveals that were paid for, how far each is, and what can be done about one that is stuck. The
 * background runs the jobs, also while no page is open; this page shows them and passes on what the person presses.
 */

import { Hourglass, Plus, Undo2 } from 'lucide-react'
import type { JobView } from '../../../background/views/inscribe-views.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { isJobOpen, useJobs } from '../../state/use-jobs.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatAgo } from '../../ui/text/time-text.ts'
import { JobPicture } from './job-picture.tsx'
import { nameJob, nameState } from './job-words.ts'
import styles from './jobs.module.css'

/** What was ever inscribed from this account: first what is under way. */
export function Jobs({ state }: PageProps) {
  const { answer, problem, busy, retry } = useJobs(state)
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const open = answer?.filter(isJobOpen) ?? []
  const over = answer?.filter(job => !isJobOpen(job)) ?? []
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        isKeyless(account) ? null : (
          <Button variant="primary" onClick={() => navigate('/inscribe')}>
            <Plus size={18} aria-hidden />
            {words('jobsNew')}
          </Button>
        )
      }
    >
      <Title>{words('jobsTitle')}</Title>
      {problem ? (
        <RetryNotice
          tone="caution"
          title={words('jobsUnknown')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
      {answer === null && problem === null ? <SkeletonRows count={3} /> : null}
      {answer?.length === 0 ? (
        <Empty icon={<Hourglass size={20} aria-hidden />} title={words('jobsEmptyTitle')}>
          {words('jobsEmpty')}
        </Empty>
      ) : null}
      <JobRows title={words('jobsOpen')} jobs={open} />
      <JobRows title={words('jobsOver')} jobs={over} />
      {account?.source === 'watch' ? null : (
        <Rows label={words('commitRefund')}>
          <LinkRow
            to="/inscribe/recover"
            icon={<Undo2 size={18} aria-hidden />}
            title={words('commitRefund')}
            note={words('commitRefundNote')}
          />
        </Rows>
      )}
    </Screen>
  )
}

function JobRows({ title, jobs }: { title: string; jobs: readonly JobView[] }) {
  const amounts = useAmounts()
  if (jobs.length === 0) return null
  return (
    <section className={classNames(layoutStyles.stack, styles.rows)}>
      <h2 className={textStyles.muted}>{title}</h2>
      <Rows label={title}>
        {jobs.map(job => (
          <LinkRow
            key={job.id}
            to={`/inscribe/jobs/${job.id}`}
            icon={<JobPicture job={job} item={0} size="small" />}
            title={nameJob(job, amounts.digits)}
            tone={job.state === 'stuck' ? 'danger' : 'plain'}
            note={describe(job)}
          />
        ))}
      </Rows>
    </section>
  )
}

/** "2 of 5 sent · 5 min ago · mint.example". */
function describe(job: JobView): string {
  return joinFacts([
    nameState(job),
    formatAgo(job.at, Date.now()),
    job.origin === null ? null : describeOrigin(job.origin).host,
  ])
}
