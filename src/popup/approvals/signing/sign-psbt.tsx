import type { PsbtView, SignPsbtReview } from '../../../background/views/psbt-views.ts'
import { richWords, words } from '../../platform/words.ts'
import { CoinProofs } from '../../review/coins/coin-proofs.tsx'
import { useConsents } from '../../review/consents.tsx'
import { PsbtBody } from '../../review/psbt/psbt-body.tsx'
import { describePsbt } from '../../review/psbt/psbt-words.tsx'
import { Dangers } from '../../review/warnings.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from '../approval-frame.tsx'
import { SignBatchApproval } from './sign-batch.tsx'

type SignPsbtProps = ApprovalScreenProps & { review: SignPsbtReview }

/** A site asks for signatures of one or several transactions. */
export function SignPsbtApproval({ view, review, onDecide }: SignPsbtProps) {
  const [first, ...others] = review.items
  if (first === undefined || others.length > 0)
    return <SignBatchApproval view={view} review={review} onDecide={onDecide} />
  return <SignOne view={view} review={review} psbt={first} onDecide={onDecide} />
}

type SignOneProps = SignPsbtProps & { psbt: PsbtView }

function SignOne({ view, review, psbt, onDecide }: SignOneProps) {
  const { warnings, broadcast } = review
  const fee = psbt.fee === null ? null : BigInt(psbt.fee.sats)
  const { boxes, blocked } = useConsents(
    [{ warnings: psbt.warnings, fee, assets: psbt.assets }],
    warnings,
  )
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words(broadcast ? 'psbtSendVerb' : 'signVerb')}
      effect={
        broadcast ? richWords('psbtSent', { effect: describePsbt(psbt) }) : describePsbt(psbt)
      }
      consent={boxes}
      blocked={blocked}
    >
      <Dangers warnings={warnings} fee={fee} assets={psbt.assets} />
      <PsbtBody view={psbt} isSent={broadcast}>
        <CoinProofs transactions={[psbt]} />
      </PsbtBody>
    </ApprovalFrame>
  )
}
