import { useState } from 'react'
import type { PushTxReview } from '../../background/ui-methods/ui-methods.ts'
import { formatShortBtc, nameSats } from '../ui/btc-digits.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { FeeFact, Parts } from './transaction-facts.tsx'
import { TransactionFlow } from './transaction-flow.tsx'
import { HighFeeConsent, hasHighFee, Warnings } from './warnings.tsx'

type PushTxProps = ApprovalScreenProps & { review: PushTxReview }

/** A site asks to broadcast a signed transaction that spends coins of this wallet. */
export function PushTxApproval({ view, review, onDecide }: PushTxProps) {
  const [consent, setConsent] = useState(false)
  const cost = BigInt(review.netCost)
  const fee = review.fee === null ? null : BigInt(review.fee)
  const moved = review.outputs.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      consent={
        <HighFeeConsent
          warnings={review.warnings}
          fee={fee}
          checked={consent}
          onCheck={setConsent}
        />
      }
      verb="Broadcast"
      blocked={hasHighFee(review.warnings) && !consent}
      effect={describeCost(cost, fee !== null)}
    >
      <p className="muted">
        This transaction is signed already. Once broadcast it cannot be taken back.
      </p>
      <TransactionFlow inputs={review.inputs} outputs={review.outputs} fee={fee} />
      <Warnings warnings={review.warnings} fee={fee} />
      <dl className="facts">
        <div>
          <dt>{cost < 0n ? 'You get in all' : 'You pay in all'}</dt>
          <dd>
            <b>{formatShortBtc(cost < 0n ? -cost : cost)} BTC</b>
            <span className="sub">{nameSats(cost < 0n ? -cost : cost)}</span>
          </dd>
        </div>
        <FeeFact fee={fee} of={moved} feeRate={review.feeRate} />
      </dl>
      <Parts
        inputs={review.inputs}
        outputs={review.outputs}
        vsize={review.vsize}
        txid={review.txid}
      />
    </ApprovalFrame>
  )
}

/** While an input is unknown, it could be this account's: then nobody can say that it costs nothing. */
function describeCost(cost: bigint, isKnown: boolean) {
  if (cost === 0n && !isKnown) {
    return 'You broadcast a transaction that Satchel cannot fully see. It may spend your coins.'
  }
  if (cost === 0n) return 'You broadcast a transaction that costs you nothing'
  const amount = (
    <span className="short-address">{formatShortBtc(cost < 0n ? -cost : cost)} BTC</span>
  )
  return cost < 0n ? (
    <>You get {amount} by broadcasting a transaction</>
  ) : (
    <>You pay {amount} by broadcasting a transaction</>
  )
}
