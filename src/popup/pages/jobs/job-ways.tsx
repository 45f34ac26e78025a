import { Rocket, RotateCw, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { JobView } from '../../../background/views/inscribe-views.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionRow, LinkRow, Rows } from '../../ui/row.tsx'
import { showToast } from '../../ui/toast.tsx'
import { describeResumed } from './job-words.ts'

type JobWaysProps = { job: JobView; onChanged: () => void }

/** Everything that can be done about the job now: try again, pay more, take the money back, forget it. */
export function JobWays({ job, onChanged }: JobWaysProps) {
  const { id, can } = job
  const resuming = useTask()
  const [discarding, setDiscarding] = useState(false)
  // Its payment is in a block, so nothing but the delivery can be given up.
  const isKeeping = job.delivery !== null && job.commit.confirmed
  if (!can.resume && can.bump === null && can.refund === null && !can.discard) return null
  const resume = async () => {
    await resuming.run(async () => {
      showToast(describeResumed(await call('resumeJob', { jobId: id })))
    })
    onChanged()
  }
  return (
    <>
      {resuming.failure ? (
        <Notice tone="danger" live>
          {resuming.failure}
        </Notice>
      ) : null}
      <Rows label={words('jobWays')}>
        {can.resume ? (
          <ActionRow
            icon={<RotateCw size={18} aria-hidden />}
            title={words(resuming.busy ? 'commonAsking' : 'jobResume')}
            note={words('jobResumeNote')}
            busy={resuming.busy}
            onPress={() => void resume()}
          />
        ) : null}
        {can.bump ? (
          <LinkRow
            to={`/inscribe/jobs/${id}/bump`}
            icon={<Rocket size={18} aria-hidden />}
            title={words('jobBump')}
            note={words('jobBumpNote')}
          />
        ) : null}
        {can.refund ? (
          <LinkRow
            to={`/inscribe/jobs/${id}/refund`}
            icon={<Undo2 size={18} aria-hidden />}
            title={words('jobRefund')}
            note={words('jobRefundNote')}
          />
        ) : null}
        {can.discard ? (
          <ActionRow
            icon={isKeeping ? <Undo2 size={18} aria-hidden /> : <Trash2 size={18} aria-hidden />}
            title={words(isKeeping ? 'jobKeep' : 'jobDiscard')}
            note={words(isKeeping ? 'jobKeepNote' : 'jobDiscardNote')}
            onPress={() => setDiscarding(true)}
          />
        ) : null}
      </Rows>
      {!discarding ? null : isKeeping ? (
        <KeepDialog
          jobId={id}
          onKept={() => {
            setDiscarding(false)
            onChanged()
          }}
          onClose={() => setDiscarding(false)}
        />
      ) : (
        <DiscardDialog jobId={id} onClose={() => setDiscarding(false)} />
      )}
    </>
  )
}

function DiscardDialog({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const task = useTask()
  const discard = async () => {
    if (!(await task.run(() => call('discardJob', { jobId })))) return
    showToast(words('jobDiscarded'))
    navigate('/inscribe/jobs', { replace: true })
  }
  return (
    <ConfirmDialog
      title={words('jobDiscardTitle')}
      action={words('jobDiscard')}
      busy={task.busy}
      failure={task.failure}
      onConfirm={() => void discard()}
      onClose={onClose}
    >
      <p>{words('jobDiscardText')}</p>
    </ConfirmDialog>
  )
}

/** Gives up the delivery alone: what was inscribed for it stays. */
function KeepDialog(props: { jobId: string; onKept: () => void; onClose: () => void }) {
  const { jobId, onKept, onClose } = props
  const task = useTask()
  const keep = async () => {
    if (!(await task.run(() => call('discardJob', { jobId })))) return
    showToast(words('jobKeptToast'))
    onKept()
  }
  return (
    <ConfirmDialog
      title={words('jobKeepTitle')}
      action={words('jobKeep')}
      busy={task.busy}
      failure={task.failure}
      onConfirm={() => void keep()}
      onClose={onClose}
    >
      <p>{words('jobKeepText')}</p>
    </ConfirmDialog>
  )
}
