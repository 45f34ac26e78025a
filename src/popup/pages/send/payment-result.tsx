import { CircleCheck, CircleHelp } from 'lucide-react'
import type { PaymentResult, PaymentReview } from '../../../background/ui-methods/payment-views.ts'
import { describePayment } from '../../approvals/payment-body.tsx'
import { navigate } from '../../route.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIconButton } from '../../ui/copy-button.tsx'
import { Screen, Title } from '../../ui/screen.tsx'
import { words } from '../../words.ts'

type PaymentResultScreenProps = { review: PaymentReview; result: PaymentResult }

/** What became of a payment: sent, or not known because no server answered. */
export function PaymentResultScreen({ review, result }: PaymentResultScreenProps) {
  const sent = result.outcome === 'sent'
  const Icon = sent ? CircleCheck : CircleHelp
  return (
    <Screen
      foot={
        <div className="answers">
          <Button
            look="secondary"
            onClick={() => navigate(`/activity/${result.txid}`, { replace: true })}
          >
            {words('sendSee')}
          </Button>
          <Button look="primary" onClick={() => navigate('/', { replace: true })}>
            {words('sendDone')}
          </Button>
        </div>
      }
    >
      <div className={`outcome${sent ? ' good' : ' open'}`}>
        <Icon size={56} strokeWidth={1.5} aria-hidden />
        <Title>{words(sent ? 'sendSent' : 'sendUnknown')}</Title>
        <p>{describePayment(review)}</p>
        <p className="muted">{words(sent ? 'sendSentNote' : 'sendUnknownNote')}</p>
        <div className="txid">
          <span>
            <span className="muted small">{words('sendTxid')}</span>
            <span className="mono small breakable">{result.txid}</span>
          </span>
          <CopyIconButton text={result.txid} label={words('sendCopyTxid')} />
        </div>
      </div>
    </Screen>
  )
}
