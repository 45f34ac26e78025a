import type { JobView } from '../../../background/views/inscribe-views.ts'
import { countWords, words } from '../../platform/words.ts'
import { Fact } from '../../review/transaction-facts.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ExplorerLink } from '../../ui/explorer-link.tsx'
import { Link } from '../../ui/row.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatFeeRate } from '../../ui/text/btc-digits.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatMoment } from '../../ui/text/time-text.ts'
import { isPaid } from './job-words.ts'

/** Its payment, what it costs, what of it is still in the payment, and who asked. */
export function JobFacts({ job }: { job: JobView }) {
  const { commit, state, items, delivery } = job
  const amounts = useAmounts()
  // Nothing was paid for a job that was given up.
  const made = items.filter(({ state }) => state !== 'refunded')
  const reveals = made.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  const delivered = delivery === null || delivery.state === 'kept' ? 0n : BigInt(delivery.fee)
  const locked = BigInt(job.locked)
  const standing = commit.confirmed
    ? 'jobPaymentConfirmed'
    : isPaid(job)
      ? 'jobPaymentSent'
      : 'jobPaymentUnsent'
  return (
    <dl className={factsStyles.facts}>
      {state === 'ended' ? null : (
        <>
          <Fact name={words('jobPayment')}>
            <Link to={`/activity/${commit.txid}`}>{words(standing)}</Link>
            <span className={factsStyles.sub}>{`${formatFeeRate(commit.feeRate)} sat/vB`}</span>
          </Fact>
          <Fact name={words('jobFees')}>
            {amounts.sats(BigInt(commit.fee) + reveals + delivered)}
            <span className={factsStyles.sub}>
              {words('inscribeFeeCommit', { fee: amounts.sats(BigInt(commit.fee)) })}
            </span>
            <span className={factsStyles.sub}>
              {countWords('inscribeFeeReveals', made.length, { fee: amounts.sats(reveals) })}
            </span>
            {delivered === 0n ? null : (
              <span className={factsStyles.sub}>
                {words('deliverFee', { fee: amounts.sats(delivered) })}
              </span>
            )}
          </Fact>
          <Fact name={words('splitPostage')}>{amounts.sats(BigInt(job.postage))}</Fact>
        </>
      )}
      {locked === 0n ? null : (
        <Fact name={words('jobLocked')}>
          {amounts.sats(locked)}
          <span className={factsStyles.sub}>{words('jobLockedNote')}</span>
        </Fact>
      )}
      {job.origin === null ? null : (
        <Fact name={words('transactionAskedBy')}>
          <span className={classNames(textStyles.mono, textStyles.breakable)}>
            {describeOrigin(job.origin).host}
          </span>
        </Fact>
      )}
      <Fact name={words('jobDate')}>{formatMoment(job.at)}</Fact>
      {commit.explorerUrl === null || !isPaid(job) ? null : (
        <Fact name={words('transactionExplorer')}>
          <ExplorerLink url={commit.explorerUrl} />
        </Fact>
      )}
    </dl>
  )
}
