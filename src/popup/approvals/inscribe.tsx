import type { InscribeReview } from '../../background/ui-methods/inscribe-views.ts'
import { words } from '../words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { InscribeBody } from './inscribe-body.tsx'
import { useInscribeConsents } from './inscribe-consents.ts'
import { describeInscribing } from './inscribe-effect.tsx'

type InscribeApprovalProps = ApprovalScreenProps & { review: InscribeReview }

/** A site asks to inscribe. */
export function InscribeApproval({ view, review, onDecide }: InscribeApprovalProps) {
  const { boxes, blocked } = useInscribeConsents(review)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('inscribeDo')}
      effect={describeInscribing(review)}
      consent={boxes}
      blocked={blocked}
    >
      <InscribeBody review={review} />
    </ApprovalFrame>
  )
}
