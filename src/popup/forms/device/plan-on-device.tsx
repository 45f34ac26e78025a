import { useState } from 'react'
import type { DeviceAccountView } from '../../../background/views/account-views.ts'
import type { SignOnDeviceReview } from '../../../background/views/device-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { words } from '../../platform/words.ts'
import { useConsents } from '../../review/consents.tsx'
import { ReviewScreen } from '../../review/review-screen.tsx'
import { useTask } from '../../state/use-task.ts'
import textStyles from '../../ui/styles/text.module.css'
import { joinReturned, nothingReturned, SignOnDevice } from './sign-on-device.tsx'

type PlanOnDeviceProps = {
  digest: string
  task: SignOnDeviceReview
  account: DeviceAccountView
  network: Network
  /** What the button says, before and while it is done. */
  verbs: [idle: string, busy: string]
  failed: string
  /** What is to be said of whom it pays; null for nothing. */
  note: string | null
  /** Back to the review. */
  onBack: () => void
  /** Confirms the plan with what came back. */
  confirm: (returned: string) => Promise<void>
}

/** A plan of our own that was reviewed, on its way to the device and back. */
export function PlanOnDevice(props: PlanOnDeviceProps) {
  const { digest, task, account, network, verbs, failed, note, onBack, confirm } = props
  const [returned, setReturned] = useState<readonly (string | null)[]>(nothingReturned(task))
  const confirming = useTask()
  const joined = joinReturned(returned)
  const send = () =>
    confirming.run(async () => {
      if (joined !== undefined) await confirm(joined)
    })
  const consents = useConsents([])
  return (
    <ReviewScreen
      title={words('deviceTitle')}
      account={account}
      network={network}
      digest={`${digest} ${joined === undefined ? 'open' : 'signed'}`}
      verb={verbs[confirming.busy ? 1 : 0]}
      consents={{ ...consents, blocked: joined === undefined }}
      task={confirming}
      failed={failed}
      back={words('commonBack')}
      onBack={onBack}
      onApprove={() => void send()}
    >
      {note === null ? null : <p className={textStyles.note}>{note}</p>}
      <SignOnDevice review={task} returned={returned} onReturned={setReturned} />
    </ReviewScreen>
  )
}
