import type { InscribeReview } from '../../background/views/inscribe-views.ts'
import { words } from '../platform/words.ts'
import { InscribeBody } from '../review/inscribing/inscribe-body.tsx'
import { useInscribeConsents } from '../review/inscribing/inscribe-consents.ts'
import { describeInscribing } from '../review/inscribing/inscribe-effect.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'

type InscribeApprovalProps = ApprovalScreenProps & { review: InscribeReview }

/** A site asks to inscribe. */
export function InscribeApproval({ view, review, onDecide }: InscribeApprovalProps) {
  const { boxes, blocked } = useInscribeConsents(review)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words(review.etching ? 'etchDo' : 'inscribeDo')}
      effect={describeInscribing(review)}
      consent={boxes}
      blocked={blocked}
    >
      <InscribeBody review={review} />
    </ApprovalFrame>
  )
}
