import type { ReactNode } from 'react'
import type { PushTxReview } from '../../background/ui-methods/approval-views.ts'
import { formatFeeRate, formatShortBtc } from '../ui/btc-digits.ts'
import { richWords, words } from '../words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { useConsents } from './consents.tsx'
import { AmountFact, Fact, FeeFact, Parts } from './transaction-facts.tsx'
import { TransactionFlow } from './transaction-flow.tsx'
import { Cautions, Dangers } from './warnings.tsx'

type PushTxProps = ApprovalScreenProps & { review: PushTxReview }

/** A site asks to broadcast a signed transaction that spends coins of this wallet. */
export function PushTxApproval({ view, review, onDecide }: PushTxProps) {
  const { inputs, outputs, warnings, feeRate } = review
  const cost = BigInt(review.netCost)
  const fee = review.fee === null ? null : BigInt(review.fee)
  const { boxes, blocked } = useConsents(warnings, fee)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('pushVerb')}
      effect={describeCost(cost, fee !== null)}
      consent={boxes}
      blocked={blocked}
    >
      <p className="muted">{words('pushFinal')}</p>
      <Dangers warnings={warnings} fee={fee} />
      <TransactionFlow inputs={inputs} outputs={outputs} />
      <Cautions warnings={warnings} fee={fee} />
      <dl className="facts">
        {cost === 0n && fee === null ? (
          <Fact name={words('reviewPay')}>{words('reviewFeeUnknown')}</Fact>
        ) : (
          <AmountFact
            name={words(cost < 0n ? 'reviewGet' : 'reviewPay')}
            sats={cost < 0n ? -cost : cost}
            strong
          />
        )}
        <FeeFact
          name={words('reviewFee')}
          fee={fee}
          of={outputs.reduce((sum, { sats }) => sum + BigInt(sats), 0n)}
          rate={feeRate === null ? null : words('reviewRate', { rate: formatFeeRate(feeRate) })}
        />
      </dl>
      <Parts inputs={inputs} outputs={outputs} vsize={review.vsize} txid={review.txid} />
    </ApprovalFrame>
  )
}

/** While an input is unknown, it could be this account's: then nobody can say that it costs nothing. */
function describeCost(cost: bigint, isKnown: boolean): ReactNode {
  if (cost === 0n) return words(isKnown ? 'pushFree' : 'pushUnseen')
  const sats = cost < 0n ? -cost : cost
  return richWords(cost < 0n ? 'pushGet' : 'pushPay', {
    amount: <span className="short-address">{formatShortBtc(sats)} BTC</span>,
  })
}
