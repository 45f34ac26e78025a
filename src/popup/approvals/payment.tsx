import type { PaymentReview } from '../../background/ui-methods/payment-views.ts'
import { words } from '../words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { useConsents } from './consents.tsx'
import { subjectOfPayment } from './list-consents.ts'
import { describePayment, PaymentBody } from './payment-body.tsx'

type PaymentApprovalProps = ApprovalScreenProps & { review: PaymentReview }

/** A site asks for a payment. */
export function PaymentApproval({ view, review, onDecide }: PaymentApprovalProps) {
  const { boxes, blocked } = useConsents([subjectOfPayment(review)])
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words(review.purpose === 'prepare' ? 'signVerb' : 'reviewSend')}
      effect={describePayment(review)}
      consent={boxes}
      blocked={blocked}
    >
      <PaymentBody review={review} />
    </ApprovalFrame>
  )
}
