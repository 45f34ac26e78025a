import type { ReactNode } from 'react'
import type { PaymentReview } from '../../background/ui-methods/payment-views.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { AddressText } from '../ui/address-text.tsx'
import { formatFeeRate, formatShortBtc, nameSats } from '../ui/btc-digits.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { countWords, richWords, type WordKey, words } from '../words.ts'
import { AmountFact, Fact, FeeFact, Parts } from './transaction-facts.tsx'
import { TransactionFlow } from './transaction-flow.tsx'
import { Cautions, Dangers } from './warnings.tsx'
import { WholeText } from './whole-text.tsx'
import './review.css'

const FEE_NAMES: { [purpose in PaymentReview['purpose']]: WordKey } = {
  send: 'reviewFee',
  'speed-up': 'reviewFeeNew',
  cancel: 'reviewFeeNew',
  child: 'reviewFeeAdded',
}

/** With more recipients than these the cost comes first, which would be far down otherwise. */
const FEW = 3

/** What a payment does, as one sentence. */
export function describePayment(review: PaymentReview): ReactNode {
  const { recipients, purpose, warnings } = review
  const [first] = recipients
  const fee = BigInt(review.fee)
  const before = review.previous?.fee ?? null
  if (purpose === 'cancel') return richWords('reviewEffectCancel', { fee: Sats(fee) })
  if (purpose === 'speed-up' && before !== null)
    return richWords('reviewEffectSpeedUp', { fee: Sats(fee - BigInt(before)) })
  if (purpose !== 'send') return richWords('reviewEffectChild', { fee: Sats(fee) })
  const amount = <span className="short-address">{formatShortBtc(BigInt(review.sats))} BTC</span>
  if (recipients.length !== 1 || first === undefined) {
    const to = countWords('reviewRecipients', recipients.length)
    return richWords('reviewEffectMany', { amount, to })
  }
  const toSelf = warnings.some(({ kind }) => kind === 'own-address')
  return richWords(toSelf ? 'reviewEffectSelf' : 'reviewEffect', {
    amount,
    to: <WholeText text={first.name ?? shortenAddress(first.address)} />,
  })
}

function Sats(sats: bigint): ReactNode {
  return <span className="short-address">{nameSats(sats)}</span>
}

/** All that a person should see of a payment before it is signed: dangers, recipients, picture, cost, details. */
export function PaymentBody({ review }: { review: PaymentReview }) {
  const { recipients, inputs, outputs, warnings, previous, purpose } = review
  const fee = BigInt(review.fee)
  const isMany = recipients.length > FEW
  const cost = (
    <dl className="facts">
      {previous?.fee && purpose !== 'child' ? (
        <Fact name={words('reviewFeeBefore')}>{nameSats(BigInt(previous.fee))}</Fact>
      ) : null}
      <FeeFact
        name={words(FEE_NAMES[purpose])}
        fee={fee}
        of={BigInt(review.sats)}
        rate={words(purpose === 'child' ? 'reviewRateTogether' : 'reviewRate', {
          rate: formatFeeRate(review.feeRate),
        })}
      />
      <AmountFact name={words('reviewPay')} sats={payOf(review)} strong />
      <AmountFact name={words('reviewBalance')} sats={BigInt(review.balanceAfter)} />
    </dl>
  )
  const names = new Map(recipients.map(({ address, name }) => [address, name]))
  return (
    <>
      <Dangers warnings={warnings} fee={fee} />
      {isMany ? null : <Recipients recipients={recipients} />}
      {review.memo === null ? null : (
        <div className="recipient">
          <p className="muted small">{words('reviewMemo')}</p>
          <p className="breakable">
            <VisibleText text={review.memo} />
          </p>
        </div>
      )}
      {isMany ? cost : null}
      <TransactionFlow inputs={inputs} outputs={outputs} names={names} />
      <Cautions warnings={warnings} fee={fee} />
      {isMany ? null : cost}
      {isMany ? (
        <>
          <h2>{countWords('reviewRecipients', recipients.length)}</h2>
          <Recipients recipients={recipients} />
        </>
      ) : null}
      <Parts inputs={inputs} outputs={outputs} vsize={review.vsize} />
    </>
  )
}

function Recipients({ recipients }: Pick<PaymentReview, 'recipients'>) {
  if (recipients.length === 0) return null
  return (
    <ul className="recipients">
      {recipients.map(({ address, sats, name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a recipient is its place
        <li key={index} className="recipient">
          <p className="muted small">
            {words('reviewTo', { amount: nameSats(BigInt(sats)) })}
            {name === null ? null : <b className="name">{name}</b>}
          </p>
          <AddressText address={address} />
        </li>
      ))}
    </ul>
  )
}

/** What leaves the account: all inputs of a payment are its own, and so is what comes back. */
function payOf({ inputs, outputs }: PaymentReview): bigint {
  const spent = inputs.reduce((sum, { sats }) => sum + BigInt(sats ?? 0), 0n)
  return outputs.reduce((sum, { sats, own }) => (own ? sum - BigInt(sats) : sum), spent)
}
