import type { InscribeReview } from '../../../background/views/inscribe-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { countWords, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { formatFeeRate, nameSats } from '../../ui/text/btc-digits.ts'
import { AmountFact, Fact, nameRecent } from '../transaction-facts.tsx'
import { countOwnOutputs } from './inscribe-places.ts'

/** Every fee, what stays on the inscriptions, and what it comes to. */
export function InscribeCosts({ review }: { review: InscribeReview }) {
  const { purpose, commit, items, previousFee, receiver, etching, delivery } = review
  const cost = BigInt(review.cost)
  const count = countOwnOutputs(review)
  const postage = BigInt(review.postage)
  const recent = nameRecent(review.recentFeeRate)
  const reveals = BigInt(review.totalFee) - BigInt(commit?.fee ?? 0) - BigInt(delivery?.fee ?? 0)
  return (
    <dl className={factsStyles.facts}>
      {previousFee === null ? null : (
        <Fact name={words('reviewFeeBefore')}>{nameSats(BigInt(previousFee))}</Fact>
      )}
      <Fact name={words(purpose === 'bump' ? 'inscribeFeesNew' : 'inscribeFees')} help="fee-rate">
        {nameSats(BigInt(review.totalFee))}
        {purpose === 'refund' ? null : (
          <>
            {commit === null ? null : (
              <span className={factsStyles.sub}>
                {words('inscribeFeeCommit', { fee: nameSats(BigInt(commit.fee)) })}
              </span>
            )}
            <span className={factsStyles.sub}>
              {etching
                ? words('etchFeeReveal', { fee: nameSats(reveals) })
                : delivery
                  ? words('deliverFeeReveal', { fee: nameSats(reveals) })
                  : countWords('inscribeFeeReveals', items.length, { fee: nameSats(reveals) })}
            </span>
            {delivery ? (
              <span className={factsStyles.sub}>
                {words('deliverFee', { fee: nameSats(BigInt(delivery.fee)) })}
              </span>
            ) : null}
          </>
        )}
        <span className={factsStyles.sub}>
          {joinFacts([words('reviewRate', { rate: formatFeeRate(review.feeRate) }), recent])}
        </span>
      </Fact>
      {purpose === 'inscribe' ? (
        <Fact
          help="postage"
          name={
            etching
              ? words('etchPostage')
              : delivery
                ? words('deliverPostage')
                : countWords('inscribePostage', count)
          }
        >
          {nameSats(postage * BigInt(count))}
          <span className={factsStyles.sub}>
            {etching
              ? words('etchPostageNote')
              : delivery
                ? words('deliverPostageNote')
                : count === 1
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
      {delivery ? null : (
        <Fact name={words('inscribeReceiver')}>
          {words('reviewFlowYou')}
          <span className={classNames(factsStyles.sub, textStyles.mono)}>
            {shortenAddress(receiver)}
          </span>
        </Fact>
      )}
      <AmountFact name={words('reviewBalance')} sats={BigInt(review.balanceAfter)} />
    </dl>
  )
}
