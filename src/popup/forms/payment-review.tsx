import type { SigningAccountView } from '../../background/views/account-views.ts'
import type { PaymentPlanView, PaymentResult } from '../../background/views/payment-views.ts'
import type { Network } from '../../bitcoin/network.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { useConsents } from '../review/consents.tsx'
import { subjectOfPayment } from '../review/list-consents.ts'
import { describePayment, PaymentBody } from '../review/payment-body.tsx'
import { ReviewScreen } from '../review/review-screen.tsx'
import { useTask } from '../state/use-task.ts'

type PaymentReviewScreenProps = {
  plan: PaymentPlanView
  account: SigningAccountView
  network: Network
  onBack: () => void
  onSent: (result: PaymentResult) => void
}

/** A payment of our own before it is signed. */
export function PaymentReviewScreen(props: PaymentReviewScreenProps) {
  const { plan, account, network, onBack, onSent } = props
  const { planId, digest, review } = plan
  const sending = useTask()
  const send = () =>
    sending.run(async () => onSent(await call('confirmPayment', { planId, digest })))
  return (
    <ReviewScreen
      title={describePayment(review)}
      account={account}
      network={network}
      digest={digest}
      verb={words(sending.busy ? 'sendSending' : VERBS[review.purpose])}
      consents={useConsents([subjectOfPayment(review)])}
      task={sending}
      failed={words('sendFailed')}
      onBack={onBack}
      onApprove={() => void send()}
    >
      <PaymentBody review={review} />
    </ReviewScreen>
  )
}

const VERBS = {
  send: 'reviewSend',
  transfer: 'reviewSend',
  split: 'splitDo',
  prepare: 'signVerb',
  'speed-up': 'bumpSpeedUp',
  child: 'bumpChild',
  cancel: 'bumpCancel',
} as const
