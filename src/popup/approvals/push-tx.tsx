import type { PushTxReview } from '../../background/views/approval-views.ts'
import { words } from '../platform/words.ts'
import { tellAssets } from '../review/asset-words.tsx'
import { CoinProofs } from '../review/coins/coin-proofs.tsx'
import { useConsents } from '../review/consents.tsx'
import { describePush, PushBody } from '../review/push-body.tsx'
import textStyles from '../ui/styles/text.module.css'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'

type PushTxProps = ApprovalScreenProps & { review: PushTxReview }

/** A site asks to broadcast a signed transaction that spends coins of this wallet. */
export function PushTxApproval({ view, review, onDecide }: PushTxProps) {
  const fee = review.fee === null ? null : BigInt(review.fee)
  const { boxes, blocked } = useConsents([
    { warnings: review.warnings, fee, assets: review.assets },
  ])
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('pushVerb')}
      effect={tellAssets(review.assets, describePush(BigInt(review.netCost), fee !== null))}
      consent={boxes}
      blocked={blocked}
    >
      <p className={textStyles.muted}>{words('pushFinal')}</p>
      <PushBody transaction={review}>
        <CoinProofs transactions={[review]} />
      </PushBody>
    </ApprovalFrame>
  )
}
