import { useState } from 'react'
import type { DeviceAccountView } from '../../../background/views/account-views.ts'
import type { SignOnDeviceReview } from '../../../background/views/device-views.ts'
import type { PaymentResult } from '../../../background/views/payment-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useConsents } from '../../review/consents.tsx'
import { ReviewScreen } from '../../review/review-screen.tsx'
import { useTask } from '../../state/use-task.ts'
import { joinReturned, nothingReturned, SignOnDevice } from './sign-on-device.tsx'

type PaymentOnDeviceProps = {
  planId: string
  digest: string
  task: SignOnDeviceReview
  account: DeviceAccountView
  network: Network
  /** Back to the review. */
  onBack: () => void
  onSent: (result: PaymentResult) => void
}

/** A payment of our own that was reviewed, on its way to the device and back. */
export function PaymentOnDevice(props: PaymentOnDeviceProps) {
  const { planId, digest, task, account, network, onBack, onSent } = props
  const [returned, setReturned] = useState<readonly (string | null)[]>(nothingReturned(task))
  const sending = useTask()
  const joined = joinReturned(returned)
  const send = () =>
    sending.run(async () => {
      if (joined === undefined) return
      onSent(await call('confirmPayment', { planId, digest, returned: joined }))
    })
  const consents = useConsents([])
  return (
    <ReviewScreen
      title={words('deviceTitle')}
      account={account}
      network={network}
      digest={`${digest} ${joined === undefined ? 'open' : 'signed'}`}
      verb={words(sending.busy ? 'sendSending' : 'reviewSend')}
      consents={{ ...consents, blocked: joined === undefined }}
      task={sending}
      failed={words('sendFailed')}
      back={words('commonBack')}
      onBack={onBack}
      onApprove={() => void send()}
    >
      <SignOnDevice review={task} returned={returned} onReturned={setReturned} />
    </ReviewScreen>
  )
}
