import type { SigningAccountView } from '../../../background/ui-methods/account-views.ts'
import type {
  PaymentPlanView,
  PaymentResult,
} from '../../../background/ui-methods/payment-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { ApproveButton } from '../../approvals/approve-button.tsx'
import { useConsents } from '../../approvals/consents.tsx'
import { subjectOfPayment } from '../../approvals/list-consents.ts'
import { describePayment, PaymentBody } from '../../approvals/payment-body.tsx'
import { call } from '../../rpc.ts'
import { Button } from '../../ui/button.tsx'
import { Identicon } from '../../ui/identicon.tsx'
import { isTestNetwork, NETWORK_NAMES } from '../../ui/names.ts'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { useTask } from '../../use-task.ts'
import { words } from '../../words.ts'

type PaymentReviewScreenProps = {
  plan: PaymentPlanView
  account: SigningAccountView
  network: Network
  onBack: () => void
  onSent: (result: PaymentResult) => void
}

/** A payment of our own before it is signed: what the approval of a site's payment shows. */
export function PaymentReviewScreen(props: PaymentReviewScreenProps) {
  const { plan, account, network, onBack, onSent } = props
  const { planId, digest, review } = plan
  const { boxes, blocked } = useConsents([subjectOfPayment(review)])
  const sending = useTask()
  const send = () =>
    sending.run(async () => onSent(await call('confirmPayment', { planId, digest })))
  return (
    <Screen
      head={
        <>
          {sending.busy ? null : <BackButton onBack={onBack} />}
          <span className="review-account">
            <Identicon text={account.id} size={20} />
            <span className="name">{account.name}</span>
          </span>
          <span className={`pill push${isTestNetwork(network) ? ' test' : ''}`}>
            {NETWORK_NAMES[network]}
          </span>
        </>
      }
      foot={
        <>
          {sending.failure ? (
            <Notice tone="danger" title={words('sendFailed')} live>
              {sending.failure}
            </Notice>
          ) : null}
          {boxes}
          <div className="answers">
            <Button look="secondary" disabled={sending.busy} onClick={onBack}>
              {words('sendEdit')}
            </Button>
            <ApproveButton
              digest={digest}
              verb={words(sending.busy ? 'sendSending' : VERBS[review.purpose])}
              blocked={blocked}
              busy={sending.busy}
              onApprove={() => void send()}
            />
          </div>
        </>
      }
    >
      <Title>{describePayment(review)}</Title>
      <PaymentBody review={review} />
    </Screen>
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
