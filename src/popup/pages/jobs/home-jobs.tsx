import { CircleAlert, Hourglass } from 'lucide-react'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { joinList } from '../../platform/join-words.ts'
import { countWords, words } from '../../platform/words.ts'
import { isJobOpen, useJobs } from '../../state/use-jobs.ts'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { nameJob, nameState } from './job-words.ts'

/** What is being inscribed, and above all what needs the person; nothing when there is neither. */
export function HomeJobs({ state }: { state: WalletState }) {
  const amounts = useAmounts()
  const { answer } = useJobs(state)
  const open = answer?.filter(isJobOpen) ?? []
  const stuck = open.filter(job => job.state === 'stuck')
  // A job that needs the person goes before those that go on by themselves.
  const shown = stuck.length > 0 ? stuck : open
  const [only] = shown
  if (only === undefined) return null
  const isStuck = stuck.length > 0
  return (
    <Rows label={words('jobsTitle')}>
      <LinkRow
        to={shown.length === 1 ? `/inscribe/jobs/${only.id}` : '/inscribe/jobs'}
        icon={isStuck ? <CircleAlert size={20} aria-hidden /> : <Hourglass size={20} aria-hidden />}
        tone={isStuck ? 'danger' : 'plain'}
        title={
          isStuck
            ? words('jobHomeStuck')
            : shown.length === 1
              ? words(only.etching ? 'jobHomeEtching' : 'jobHomeOpen', { state: nameState(only) })
              : countWords('jobHomeOpenMany', shown.length)
        }
        note={
          isStuck
            ? words('jobHomeStuckNote')
            : joinList(shown.map(job => nameJob(job, amounts.digits)))
        }
      />
    </Rows>
  )
}
