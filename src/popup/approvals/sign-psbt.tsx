import type { PsbtView, SignPsbtReview } from '../../background/ui-methods/psbt-views.ts'
import { words } from '../words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { useConsents } from './consents.tsx'
import { PsbtBody } from './psbt-body.tsx'
import { describePsbt } from './psbt-words.tsx'
import { SignBatchApproval } from './sign-batch.tsx'

type SignPsbtProps = ApprovalScreenProps & { review: SignPsbtReview }

/** A site asks for signatures of one or several transactions. */
export function SignPsbtApproval({ view, review, onDecide }: SignPsbtProps) {
  const [first, ...others] = review.items
  if (first === undefined || others.length > 0)
    return <SignBatchApproval view={view} review={review} onDecide={onDecide} />
  return <SignOne view={view} psbt={first} onDecide={onDecide} />
}

function SignOne({ view, psbt, onDecide }: ApprovalScreenProps & { psbt: PsbtView }) {
  const fee = psbt.fee === null ? null : BigInt(psbt.fee.sats)
  const { boxes, blocked } = useConsents([{ warnings: psbt.warnings, fee, assets: psbt.assets }])
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('signVerb')}
      effect={describePsbt(psbt)}
      consent={boxes}
      blocked={blocked}
    >
      <PsbtBody view={psbt} />
    </ApprovalFrame>
  )
}
