import type { PayingAccountView } from '../../background/views/account-views.ts'
import type { PaymentPlanView, PaymentResult } from '../../background/views/payment-views.ts'
import type { Network } from '../../bitcoin/network.ts'
import { navigate } from '../platform/route.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { useConsents } from '../review/consents.tsx'
import { subjectOfPayment } from '../review/list-consents.ts'
import { describePayment, PaymentBody } from '../review/payment-body.tsx'
import { ReviewScreen } from '../review/review-screen.tsx'
import { useTask } from '../state/use-task.ts'
import { nameInWords } from './name-words.ts'

type PaymentReviewScreenProps = {
  plan: PaymentPlanView
  account: PayingAccountView
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
    sending.run(async () => {
      if (account.source === 'device') navigate(`/device/${planId}.${digest}`)
      else if (account.source === 'multisig') navigate(`/cosign/${planId}.${digest}`)
      else onSent(await nameInWords(call('confirmPayment', { planId, digest })))
    })
  const consents = useConsents([subjectOfPayment(review)])
  return (
    <ReviewScreen
      title={describePayment(review)}
      account={account}
      network={network}
      digest={digest}
      verb={words(
        account.source === 'device'
          ? 'deviceContinue'
          : account.source === 'multisig'
            ? 'cosignContinue'
            : sending.busy
              ? 'sendSending'
              : VERBS[review.purpose],
      )}
      consents={consents}
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
  burn: 'burnDo',
  split: 'splitDo',
  merge: 'mergeDo',
  prepare: 'signVerb',
  'speed-up': 'bumpSpeedUp',
  child: 'bumpChild',
  cancel: 'bumpCancel',
} as const
