import {
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  type LucideIcon,
  Radio,
  Undo2,
} from 'lucide-react'
import type { JobView } from '../../../background/views/inscribe-views.ts'
import { navigate, useRoute } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { EtchingFacts } from '../../review/inscribing/etching-facts.tsx'
import type { PageProps } from '../../state/page-props.ts'
import { useJob } from '../../state/use-jobs.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { Sign, StatusBanner, type Tone } from '../../ui/status-banner.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { JobFacts } from './job-facts.tsx'
import { JobItems } from './job-items.tsx'
import { JobPicture } from './job-picture.tsx'
import { JobProgress } from './job-progress.tsx'
import { JobWays } from './job-ways.tsx'
import { describeProblem, describeSent, explainState, nameJob, nameState } from './job-words.ts'
import styles from './jobs.module.css'

/** One inscribing: how far it is, what stands in its way, what can be done about it, and what came of it. */
export function Job({ state }: PageProps) {
  const [, , jobId = ''] = useRoute()
  const { answer, problem, busy, retry } = useJob(state, jobId)
  return (
    <Screen
      // Going back leads to the list: the screen before may be a review that is over.
      head={<BackButton onBack={() => navigate('/inscribe/jobs', { replace: true })} />}
      foot={answer ? <JobEnd job={answer} /> : null}
    >
      {answer ? (
        <>
          <Stands job={answer} />
          <JobWays job={answer} onChanged={retry} />
          <JobItems job={answer} />
          {answer.etching ? <EtchingFacts etching={answer.etching} /> : null}
          <JobFacts job={answer} />
        </>
      ) : (
        <>
          <Title hidden>{words('jobsTitle')}</Title>
          {problem ? null : (
            <>
              <Skeleton size="block" />
              <SkeletonRows count={3} />
            </>
          )}
        </>
      )}
      {problem ? (
        <RetryNotice
          tone="caution"
          title={words(answer ? 'jobsUnknown' : 'jobMissing')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
    </Screen>
  )
}

const SIGNS: { [state in JobView['state']]: { Icon: LucideIcon; tone: Tone } } = {
  sending: { Icon: Radio, tone: 'open' },
  revealing: { Icon: Radio, tone: 'open' },
  maturing: { Icon: Clock, tone: 'open' },
  waiting: { Icon: Clock, tone: 'open' },
  stuck: { Icon: CircleAlert, tone: 'danger' },
  done: { Icon: CircleCheck, tone: 'plus' },
  refunding: { Icon: Undo2, tone: 'open' },
  refunded: { Icon: Undo2, tone: 'plain' },
  ended: { Icon: CircleX, tone: 'plain' },
}

/** Whether the picture of a single inscription is shown: not where something else is more important. */
const PICTURED: readonly JobView['state'][] = ['sending', 'revealing', 'waiting', 'done']

/** What it is and how it stands. */
function Stands({ job }: { job: JobView }) {
  const { state, items, problem, delivery } = job
  // What was kept back is over, and is no success.
  const isKept = state === 'done' && delivery?.state === 'kept'
  const { Icon, tone } = SIGNS[isKept ? 'refunded' : state]
  const name = nameJob(job, useAmounts().digits)
  return (
    <>
      {items.length === 1 && items[0]?.kind !== 'none' && PICTURED.includes(state) ? (
        <JobPicture job={job} item={0} size="large" label={name} />
      ) : null}
      <div className={styles.head} data-testid="job-state" data-state={state}>
        <p className={classNames(textStyles.muted, textStyles.breakable)}>
          {state === 'stuck' && items.length > 1 ? `${name} · ${describeSent(job)}` : name}
        </p>
        <Title>{nameState(job)}</Title>
      </div>
      <JobProgress job={job} />
      {problem ? (
        <div role="status">
          <ProblemNotice job={job} problem={problem} />
        </div>
      ) : (
        <StatusBanner sign={<Sign Icon={Icon} tone={tone} />}>
          <p>{explainState(job)}</p>
        </StatusBanner>
      )}
    </>
  )
}

type ProblemNoticeProps = { job: JobView; problem: NonNullable<JobView['problem']> }

/** Why it is slow or stuck: in plain words, and in the node's own on demand. */
function ProblemNotice({ job, problem }: ProblemNoticeProps) {
  const { title, note } = describeProblem(job, problem)
  return (
    <Notice tone={job.state === 'stuck' ? 'danger' : 'caution'} title={words(title)}>
      <p>{words(note)}</p>
      {problem.detail === '' ? null : (
        <details>
          <summary>{words('serverAnswer')}</summary>
          <p className={classNames(textStyles.mono, textStyles.small, textStyles.breakable)}>
            {problem.detail}
          </p>
        </details>
      )}
    </Notice>
  )
}

/** The button at the bottom. */
function JobEnd({ job }: { job: JobView }) {
  const [only] = job.items
  if (job.state === 'done') {
    const to = job.etching
      ? `/runes/rune/${encodeURIComponent(job.etching.name)}`
      : job.delivery
        ? `/brc20/token/${encodeURIComponent(job.delivery.tick)}`
        : job.items.length === 1 && only
          ? `/inscriptions/${only.inscriptionId}`
          : '/inscriptions'
    return (
      <div className={layoutStyles.answers}>
        <Button variant="secondary" onClick={() => navigate('/', { replace: true })}>
          {words('commonDone')}
        </Button>
        <Button variant="primary" onClick={() => navigate(to)}>
          {words(
            job.etching
              ? 'jobSeeRune'
              : job.delivery
                ? 'jobSeeToken'
                : job.items.length === 1
                  ? 'jobSee'
                  : 'jobSeeAll',
          )}
        </Button>
      </div>
    )
  }
  // While the person has to do something, the button for that stands above and is the only primary one.
  return (
    <Button
      variant={job.state === 'stuck' ? 'secondary' : 'primary'}
      onClick={() => navigate('/', { replace: true })}
    >
      {words(job.state === 'stuck' ? 'commonClose' : 'commonDone')}
    </Button>
  )
}
