import { ArrowUpRight, SearchX, Stamp } from 'lucide-react'
import type { RuneDetail, RuneView } from '../../../background/views/asset-views.ts'
import { parseRuneName } from '../../../ordinals/runes/rune-name.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import { Fact } from '../../review/transaction-facts.tsx'
import { isKeyless, isWatched } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopiedText } from '../../ui/copied-text.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ExplorerLink } from '../../ui/explorer-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { PlainRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import figureStyles from '../../ui/styles/figure.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatRuneAmount, listAssets } from '../../ui/text/asset-names.ts'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { RuneName } from '../../ui/text/rune-name.tsx'
import { formatMoment } from '../../ui/text/time-text.ts'
import { isZero } from '../../ui/text/token-amount.ts'
import { HeldTokens } from '../../ui/text/token-number.tsx'
import { VisibleWord } from '../../ui/text/visible-text.tsx'
import { useRune } from './use-runes.ts'

/** One rune: what the account has of it and where, and what it is. The path names it. */
export function Rune({ state }: PageProps) {
  const [, , asked = ''] = useRoute()
  const { answer, problem, busy, retry } = useRune(state, asked)
  // As the index spells it, with its spacers.
  const name = answer?.name ?? asked
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const held = answer?.held ?? null
  const facts = answer?.facts
  const mayMint =
    !isKeyless(account) && facts?.isMintable === true && facts.proof !== 'contradicted'
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        isWatched(account) || (held === null && !mayMint) ? null : (
          <div className={layoutStyles.answers}>
            {mayMint ? (
              <Button
                variant={held === null ? 'primary' : 'secondary'}
                onClick={() => navigate(`/runes/rune/${encodeURIComponent(name)}/mint`)}
              >
                <Stamp size={18} aria-hidden />
                {words('runeMint')}
              </Button>
            ) : null}
            {held === null ? null : (
              <Button
                variant="primary"
                disabled={isZero(held.sendable)}
                onClick={() => navigate(`/runes/rune/${encodeURIComponent(name)}/send`)}
              >
                <ArrowUpRight size={18} aria-hidden />
                {words('homeSend')}
              </Button>
            )}
          </div>
        )
      }
    >
      <Title>
        <span className={textStyles.breakable}>
          {parseRuneName(name) === null ? words('runesTitle') : <RuneName name={name} />}
        </span>
      </Title>
      {problem ? <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} /> : null}
      {answer === null && problem === null ? (
        <>
          <Skeleton size="balance" />
          <SkeletonRows count={3} />
        </>
      ) : null}
      {answer ? <Content rune={answer} /> : null}
    </Screen>
  )
}

function Content({ rune }: { rune: RuneDetail }) {
  const { held, facts, coins } = rune
  if (held === null && facts === null)
    return <Empty icon={<SearchX size={20} aria-hidden />} title={words('runeUnknown')} />
  return (
    <>
      {facts?.proof === 'contradicted' ? (
        <Notice tone="danger" title={words('runeContradicted')}>
          {words('runeContradictedNote')}
        </Notice>
      ) : null}
      {held === null ? null : <Holding rune={held} symbol={facts?.symbol ?? held.symbol} />}
      {facts === null ? (
        <Notice tone="caution">{words('runeFactsUnknown')}</Notice>
      ) : (
        <Facts facts={facts} />
      )}
      <CoinList coins={coins} />
    </>
  )
}

function Holding({ rune, symbol }: { rune: RuneView; symbol: string | null }) {
  const { amount, sendable, pending, coins } = rune
  const amounts = useAmounts()
  return (
    <div className={figureStyles.box}>
      <p
        className={classNames(figureStyles.figure, textStyles.breakable)}
        data-testid="rune-balance"
      >
        <HeldTokens amount={amount} />
        {symbol === null ? null : (
          <span className={textStyles.muted}>
            {' '}
            <VisibleWord text={symbol} />
          </span>
        )}
      </p>
      <p className={classNames(textStyles.muted, textStyles.breakable)}>
        {joinFacts([
          ...(amounts.isHidden
            ? [words('homeAmountsHidden')]
            : [words('atomicalsSendable', { amount: amounts.tokens(sendable) })]),
          ...(isZero(pending) || amounts.isHidden
            ? []
            : [words('atomicalsPending', { amount: amounts.tokens(pending) })]),
          countWords('coinsCount', coins).replace(' ', '\u00a0'),
        ])}
      </p>
    </div>
  )
}

function Facts({ facts }: { facts: NonNullable<RuneDetail['facts']> }) {
  const { terms, etching, explorerUrl, height, at } = facts
  const amount = (text: string) => (
    <span className={textStyles.breakable}>{formatRuneAmount(text)}</span>
  )
  return (
    <>
      <dl className={factsStyles.facts} aria-label={words('runeSupply')}>
        <Fact name={words('runeSupply')}>{amount(facts.supply)}</Fact>
        {isZero(facts.premine) ? null : (
          <Fact name={words('runePremine')}>{amount(facts.premine)}</Fact>
        )}
        {isZero(facts.burned) ? null : (
          <Fact name={words('runeBurned')}>{amount(facts.burned)}</Fact>
        )}
        <Fact name={words('runeDivisibility')}>{String(facts.divisibility)}</Fact>
      </dl>
      <dl className={factsStyles.facts} aria-label={words('runeMinting')}>
        <Fact name={words('runeMinting')}>
          {words(
            terms === null ? 'runeNoTerms' : facts.isMintable ? 'runeMintOpen' : 'runeMintClosed',
          )}
        </Fact>
        {terms === null ? null : (
          <>
            <Fact name={words('runePerMint')}>{amount(terms.amount)}</Fact>
            <Fact name={words('runeMints')}>
              {words('runeMintsOf', {
                mints: formatRuneAmount(facts.mints),
                cap: formatRuneAmount(terms.cap),
              })}
            </Fact>
            {terms.start === null ? null : (
              <Fact name={words('runeMintFrom')}>{nameBlock(terms.start)}</Fact>
            )}
            {terms.end === null ? null : (
              <Fact name={words('runeMintLast')}>{nameBlock(terms.end - 1)}</Fact>
            )}
          </>
        )}
      </dl>
      <dl className={factsStyles.facts} aria-label={words('runeEtched')}>
        <Fact name={words('runeId')}>
          <CopiedText text={facts.id} label={words('runeCopyId')}>
            {facts.id}
          </CopiedText>
        </Fact>
        <Fact name={words('runeEtched')}>
          {formatMoment(at)}
          <span className={factsStyles.sub}>{nameBlock(height)}</span>
        </Fact>
        <Fact name={words('runeEtching')}>
          <CopiedText text={etching} label={words('transactionCopyId')}>
            {`${etching.slice(0, 8)}…${etching.slice(-8)}`}
          </CopiedText>
          {explorerUrl === null ? null : <ExplorerLink url={explorerUrl} />}
          {facts.proof === 'contradicted' ? null : (
            <span className={factsStyles.sub}>
              {words(facts.proof === 'verified' ? 'runeVerified' : 'runeNotVerified')}
            </span>
          )}
        </Fact>
      </dl>
    </>
  )
}

function nameBlock(height: number): string {
  return words('inscriptionBlock', { height: height.toLocaleString(currentLanguage()) })
}

/** The coins that carry it, each with what else is on it. */
function CoinList({ coins }: { coins: RuneDetail['coins'] }) {
  const amounts = useAmounts()
  if (coins.length === 0) return null
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('coinsTitle')}</h2>
      <Rows label={words('coinsTitle')}>
        {coins.map(({ outpoint, sats, assets, held }) => (
          <PlainRow
            key={outpoint}
            title={
              <span className={textStyles.breakable}>{listAssets(assets, amounts.asset)}</span>
            }
            note={
              held === 'locked'
                ? words('atomicalsHeldLocked')
                : held === 'reserved'
                  ? words('atomicalsHeldReserved')
                  : null
            }
            end={amounts.isHidden ? <HiddenAmount /> : amounts.sats(BigInt(sats))}
          />
        ))}
      </Rows>
    </section>
  )
}
