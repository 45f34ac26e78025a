import { useState } from 'react'
import type { SendBitcoinReview } from '../../background/ui-methods/ui-methods.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { AddressText } from '../ui/address-text.tsx'
import { formatShortBtc, nameSats } from '../ui/btc-digits.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { FeeFact, Parts } from './transaction-facts.tsx'
import { TransactionFlow } from './transaction-flow.tsx'
import { HighFeeConsent, hasHighFee, Warnings } from './warnings.tsx'

type SendBitcoinProps = ApprovalScreenProps & { review: SendBitcoinReview }

/** A site asks for a payment. */
export function SendBitcoinApproval({ view, review, onDecide }: SendBitcoinProps) {
  const [consent, setConsent] = useState(false)
  const [sats, fee] = [BigInt(review.sats), BigInt(review.fee)]
  const toSelf = review.warnings.some(({ kind }) => kind === 'own-address')
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
      verb="Send"
      blocked={hasHighFee(review.warnings) && !consent}
      effect={
        <>
          You send <span className="short-address">{formatShortBtc(sats)} BTC</span> to{' '}
          {toSelf ? 'yourself, ' : ''}
          <span className="short-address">{shortenAddress(review.to)}</span>
        </>
      }
    >
      <div className="recipient">
        <p className="muted small">{nameSats(sats)} to</p>
        <AddressText address={review.to} />
      </div>
      <TransactionFlow inputs={review.inputs} outputs={review.outputs} fee={fee} />
      <Warnings warnings={review.warnings} fee={fee} />
      <dl className="facts">
        <FeeFact fee={fee} of={sats} feeRate={review.feeRate} />
        <div>
          <dt>You pay in all</dt>
          <dd>
            <b>{formatShortBtc((toSelf ? 0n : sats) + fee)} BTC</b>
            <span className="sub">{nameSats((toSelf ? 0n : sats) + fee)}</span>
          </dd>
        </div>
        <div>
          <dt>Balance after</dt>
          <dd>
            {formatShortBtc(BigInt(review.balanceAfter))} BTC
            <span className="sub">{nameSats(BigInt(review.balanceAfter))}</span>
          </dd>
        </div>
      </dl>
      <Parts inputs={review.inputs} outputs={review.outputs} vsize={review.vsize} />
    </ApprovalFrame>
  )
}
