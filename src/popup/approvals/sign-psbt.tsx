import type { Warning } from '../../background/views/payment-views.ts'
import type { PsbtView, SignPsbtReview } from '../../background/views/psbt-views.ts'
import { words } from '../platform/words.ts'
import { useConsents } from '../review/consents.tsx'
import { Dangers } from '../review/warnings.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { PsbtBody } from './psbt-body.tsx'
import { describePsbt } from './psbt-words.tsx'
import { SignBatchApproval } from './sign-batch.tsx'

type SignPsbtProps = ApprovalScreenProps & { review: SignPsbtReview }

/** A site asks for signatures of one or several transactions. */
export function SignPsbtApproval({ view, review, onDecide }: SignPsbtProps) {
  const [first, ...others] = review.items
  if (first === undefined || others.length > 0)
    return <SignBatchApproval view={view} review={review} onDecide={onDecide} />
  return <SignOne view={view} psbt={first} warnings={review.warnings} onDecide={onDecide} />
}

type SignOneProps = ApprovalScreenProps & { psbt: PsbtView; warnings: Warning[] }

function SignOne({ view, psbt, warnings, onDecide }: SignOneProps) {
  const fee = psbt.fee === null ? null : BigInt(psbt.fee.sats)
  const { boxes, blocked } = useConsents(
    [{ warnings: psbt.warnings, fee, assets: psbt.assets }],
    warnings,
  )
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('signVerb')}
      effect={describePsbt(psbt)}
      consent={boxes}
      blocked={blocked}
    >
      <Dangers warnings={warnings} fee={fee} assets={psbt.assets} />
      <PsbtBody view={psbt} />
    </ApprovalFrame>
  )
}
