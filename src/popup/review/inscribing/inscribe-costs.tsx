import type { InscribeReview } from '../../../background/views/inscribe-views.ts'
import { countWords, words } from '../../platform/words.ts'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { formatFeeRate, nameSats } from '../../ui/text/btc-digits.ts'
import { AmountFact, Fact, nameRecent } from '../transaction-facts.tsx'

/** Every fee, what stays on the inscriptions, and what it comes to. */
export function InscribeCosts({ review }: { review: InscribeReview }) {
  const { purpose, commit, items, previousFee, receiver } = review
  const cost = BigInt(review.cost)
  const count = items.length
  const postage = BigInt(review.postage)
  const recent = nameRecent(review.recentFeeRate)
  const reveals = items.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  return (
    <dl className="facts">
      {previousFee === null ? null : (
        <Fact name={words('reviewFeeBefore')}>{nameSats(BigInt(previousFee))}</Fact>
      )}
      <Fact name={words(purpose === 'bump' ? 'inscribeFeesNew' : 'inscribeFees')}>
        {nameSats(BigInt(review.totalFee))}
        {purpose === 'refund' ? null : (
          <>
            {commit === null ? null : (
              <span className="sub">
                {words('inscribeFeeCommit', { fee: nameSats(BigInt(commit.fee)) })}
              </span>
            )}
            <span className="sub">
              {countWords('inscribeFeeReveals', count, { fee: nameSats(reveals) })}
            </span>
          </>
        )}
        <span className="sub">
          {[words('reviewRate', { rate: formatFeeRate(review.feeRate) }), recent]
            .filter(part => part !== null)
            .join(' · ')}
        </span>
      </Fact>
      {purpose === 'inscribe' ? (
        <Fact name={countWords('inscribePostage', count)}>
          {nameSats(postage * BigInt(count))}
          <span className="sub">
            {count === 1
              ? words('inscribePostageOne')
              : words('inscribePostageEach', { amount: nameSats(postage) })}
          </span>
        </Fact>
      ) : null}
      <AmountFact
        name={words(cost < 0n ? 'inscribeBack' : 'reviewPay')}
        sats={cost < 0n ? -cost : cost}
        strong
      />
      <Fact name={words('inscribeReceiver')}>
        {words('reviewFlowYou')}
        <span className="sub mono">{shortenAddress(receiver)}</span>
      </Fact>
      <AmountFact name={words('reviewBalance')} sats={BigInt(review.balanceAfter)} />
    </dl>
  )
}
