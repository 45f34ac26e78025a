import type { PaymentReview } from '../../background/views/payment-views.ts'
import { words } from '../platform/words.ts'
import { useConsents } from '../review/consents.tsx'
import { subjectOfPayment } from '../review/list-consents.ts'
import { describePayment, PaymentBody } from '../review/payment-body.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'

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
