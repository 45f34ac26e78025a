import type { RuneMintReview } from '../../background/views/mint-views.ts'
import { words } from '../platform/words.ts'
import { useConsents } from '../review/consents.tsx'
import { describeMints, MintBody } from '../review/runes/mint-body.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'

type RuneMintApprovalProps = ApprovalScreenProps & { review: RuneMintReview }

/** A site asks to mint a rune. */
export function RuneMintApproval({ view, review, onDecide }: RuneMintApprovalProps) {
  const { warnings, fee } = review
  const { boxes, blocked } = useConsents([{ warnings, fee: BigInt(fee), assets: [] }])
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('runeMint')}
      effect={describeMints(review)}
      consent={boxes}
      blocked={blocked}
    >
      <MintBody review={review} />
    </ApprovalFrame>
  )
}
