import type { ReactNode } from 'react'
import type { PushTxReview } from '../../background/views/approval-views.ts'
import { richWords, words } from '../platform/words.ts'
import { tellAssets } from '../review/asset-words.tsx'
import { useConsents } from '../review/consents.tsx'
import { PushBody } from '../review/push-body.tsx'
import textStyles from '../ui/styles/text.module.css'
import { formatShortBtc } from '../ui/text/btc-digits.ts'
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
      effect={tellAssets(review.assets, describeCost(BigInt(review.netCost), fee !== null))}
      consent={boxes}
      blocked={blocked}
    >
      <p className={textStyles.muted}>{words('pushFinal')}</p>
      <PushBody transaction={review} />
    </ApprovalFrame>
  )
}

/** While an input is unknown, it could be this account's: then nobody can say that it costs nothing. */
function describeCost(cost: bigint, isKnown: boolean): ReactNode {
  if (cost === 0n) return words(isKnown ? 'pushFree' : 'pushUnseen')
  const sats = cost < 0n ? -cost : cost
  const effect = richWords(cost < 0n ? 'pushGet' : 'pushPay', {
    amount: <span className={textStyles.nowrap}>{formatShortBtc(sats)} BTC</span>,
  })
  return isKnown ? effect : richWords('pushSeen', { effect })
}
