import type { SigningAccountView } from '../../../background/ui-methods/account-views.ts'
import type {
  PaymentPlanView,
  PaymentResult,
} from '../../../background/ui-methods/payment-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { useConsents } from '../../approvals/consents.tsx'
import { subjectOfPayment } from '../../approvals/list-consents.ts'
import { describePayment, PaymentBody } from '../../approvals/payment-body.tsx'
import { call } from '../../rpc.ts'
import { useTask } from '../../use-task.ts'
import { words } from '../../words.ts'
import { ReviewScreen } from '../review-screen.tsx'

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
