import type { ReactNode } from 'react'
import type { RuneMintReview } from '../../../background/views/mint-views.ts'
import type { ReviewedOutput } from '../../../background/views/payment-views.ts'
import { countWords, currentLanguage, richWords, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { formatFeeRate, nameSats } from '../../ui/text/btc-digits.ts'
import { RuneName } from '../../ui/text/rune-name.tsx'
import { CoinProofs } from '../coins/coin-proofs.tsx'
import { Fold } from '../fold.tsx'
import { AmountFact, Fact, FeeFact } from '../transaction-facts.tsx'
import { TransactionFlow } from '../transaction-flow.tsx'
import { Cautions, Dangers } from '../warnings.tsx'

/** What is approved, in a phrase. */
export function describeMints({ total, rune }: RuneMintReview): ReactNode {
  return richWords('runeMintEffect', {
    amount: (
      <>
        <span className={textStyles.breakable}>{formatRuneAmount(total)}</span>{' '}
        <RuneName name={rune.name} />
      </>
    ),
  })
}

/** All that a person should see of mints before they are signed: what they bring, what they cost, and what may come in between. */
export function MintBody({ review }: { review: RuneMintReview }) {
  const { rune, count, each, total, remaining, end, postage, perRune, warnings } = review
  const fee = BigInt(review.fee)
  const kept = BigInt(postage) * BigInt(count)
  const number = (value: number | bigint) => value.toLocaleString(currentLanguage())
  return (
    <>
      <Dangers warnings={warnings} fee={fee} />
      <dl className={factsStyles.facts} aria-label={words('runeMinting')}>
        <Fact name={words('runeMintGet')}>
          <b className={textStyles.breakable}>{formatRuneAmount(total)}</b>
          <span className={classNames(factsStyles.sub, textStyles.breakable)}>
            {countWords('runeMintOf', count, { amount: formatRuneAmount(each) })}
          </span>
        </Fact>
        <Fact name={words('runeMintLeft')}>
          {number(BigInt(remaining))}
          <span className={factsStyles.sub}>{words('runeMintLeftNote')}</span>
        </Fact>
        {end === null ? null : (
          <Fact name={words('runeMintLast')}>
            {words('inscriptionBlock', { height: number(end.height - 1) })}
            <span className={factsStyles.sub}>{countWords('runeMintBlocks', end.blocks)}</span>
          </Fact>
        )}
      </dl>
      <dl className={factsStyles.facts}>
        <FeeFact
          name={words('runeMintFees')}
          fee={fee}
          of={0n}
          rate={words('reviewRate', { rate: formatFeeRate(review.feeRate) })}
          recent={review.recentFeeRate}
        />
        {perRune === null ? null : (
          <Fact name={words('runeMintPer')}>
            <span className={textStyles.breakable}>
              {words('runeMintPerSats', { sats: formatRuneAmount(perRune) })}
            </span>
          </Fact>
        )}
        <Fact name={words('runeMintCoins')}>
          {nameSats(kept)}
          <span className={factsStyles.sub}>
            {countWords('runeMintCoinsNote', count, { sats: nameSats(BigInt(postage)) })}
          </span>
        </Fact>
        <AmountFact name={words('reviewPay')} sats={fee + kept} strong />
        <AmountFact name={words('reviewBalance')} sats={BigInt(review.balanceAfter)} />
      </dl>
      {rune.proof === 'verified' ? null : (
        <Notice tone="caution">{words('runeNotVerified')}</Notice>
      )}
      <Cautions warnings={warnings} fee={fee} />
      <CoinProofs transactions={[{ inputs: review.inputs, outputs: [], warnings }]} />
      <p className={textStyles.note}>{words('runeMintNote')}</p>
      <TransactionFlow inputs={review.inputs} outputs={listEnds(review)} />
      <Fold summary={words('reviewDetails')}>
        <ol className={textStyles.note}>
          {review.transactions.map(({ fee, vsize }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a mint is its place
            <li key={at}>
              {`${nameSats(BigInt(fee))} · ${words('reviewSize', { vsize: number(vsize) })}`}
            </li>
          ))}
        </ol>
        <p className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
          {review.inputs.map(({ outpoint }) => outpoint).join(' ')}
        </p>
      </Fold>
    </>
  )
}

/** Where the sats of all mints together end: a coin for each, and the change. */
function listEnds({ inputs, count, postage, fee }: RuneMintReview): ReviewedOutput[] {
  const end = (sats: bigint): ReviewedOutput => ({
    ...{ address: inputs[0]?.address ?? null, script: '', sats: String(sats), own: true },
  })
  const spent = inputs.reduce((sum, { sats }) => sum + BigInt(sats ?? 0), 0n)
  const change = spent - BigInt(fee) - BigInt(postage) * BigInt(count)
  const coins = Array.from({ length: count }, () => end(BigInt(postage)))
  return change > 0n ? [...coins, end(change)] : coins
}
