import type { EtchingReview, EtchingView } from '../../../background/views/etching-views.ts'
import type { InscribeReview } from '../../../background/views/inscribe-views.ts'
import { currentLanguage, type WordKey, words } from '../../platform/words.ts'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { nameSats } from '../../ui/text/btc-digits.ts'
import { RuneName } from '../../ui/text/rune-name.tsx'
import { isZero } from '../../ui/text/token-amount.ts'
import { TokenMark } from '../../ui/text/token-mark.tsx'
import { TokenNumber } from '../../ui/text/token-number.tsx'
import { Fact } from '../transaction-facts.tsx'
import styles from './etching-facts.module.css'

/** What a rune is that is being etched: all of it stays as it is for ever. */
export function EtchingFacts({ etching }: { etching: EtchingView }) {
  const { name, symbol, divisibility, premine, terms, supply, turbo } = etching
  return (
    <section className={layoutStyles.stack} aria-label={words('etchRune')} data-testid="etching">
      <p className={styles.name}>
        <TokenMark tick={symbol} />
        <span className={textStyles.breakable}>
          <RuneName name={name} />
        </span>
      </p>
      <dl className={factsStyles.facts}>
        <Fact name={words('etchSymbol')}>{symbol}</Fact>
        <Fact name={words('runeDivisibility')}>{divisibility}</Fact>
        <Fact name={words('etchPremine')}>
          {isZero(premine) ? words('etchPremineNone') : <TokenNumber amount={premine} />}
        </Fact>
        {terms === null ? (
          <Fact name={words('runeMinting')}>{words('runeNoTerms')}</Fact>
        ) : (
          <>
            <Fact name={words('runePerMint')}>
              <TokenNumber amount={terms.amount} />
            </Fact>
            <Fact name={words('etchCap')}>
              <TokenNumber amount={terms.cap} />
            </Fact>
            {LIMITS.map(({ kind, side, word }) => {
              const block = terms[kind][side]
              return block === null ? null : (
                <Fact key={word} name={words(word)}>
                  <span className={textStyles.nowrap}>
                    {block.toLocaleString(currentLanguage())}
                  </span>
                </Fact>
              )
            })}
          </>
        )}
        <Fact name={words('etchSupply')}>
          <TokenNumber amount={supply} />
        </Fact>
        {turbo ? <Fact name={words('etchTurbo')}>{words('etchTurboOn')}</Fact> : null}
      </dl>
    </section>
  )
}

const LIMITS: { kind: 'height' | 'offset'; side: 'start' | 'end'; word: WordKey }[] = [
  { kind: 'height', side: 'start', word: 'etchStartHeight' },
  { kind: 'height', side: 'end', word: 'etchEndHeight' },
  { kind: 'offset', side: 'start', word: 'etchStartOffset' },
  { kind: 'offset', side: 'end', word: 'etchEndOffset' },
]

/** How long it takes, and what is lost where somebody else takes the name meanwhile. */
export function EtchingRisks({
  etching,
  review,
}: {
  etching: EtchingReview
  review: Pick<InscribeReview, 'commit' | 'totalFee'>
}) {
  const back = BigInt(review.commit?.fee ?? 0) + BigInt(etching.refundFee)
  const all = BigInt(review.totalFee)
  return (
    <>
      <Notice tone="info" title={words('etchTime', { blocks: etching.blocks })}>
        <p>{words('etchTimeNote')}</p>
      </Notice>
      <Notice tone="caution" title={words('etchRisk')}>
        <p>
          {words('etchRiskNote', {
            back: nameSats(back),
            worst: nameSats(all > back ? all : back),
          })}
        </p>
      </Notice>
    </>
  )
}
