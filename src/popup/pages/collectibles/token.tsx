import { ArrowUpRight, SearchX } from 'lucide-react'
import type { TokenView } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { countWords, words } from '../../platform/words.ts'
import { Fact } from '../../review/transaction-facts.tsx'
import { NotChecked } from '../../state/atomicals-server.tsx'
import { isKeyless } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopiedText } from '../../ui/copied-text.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { Link } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import figureStyles from '../../ui/styles/figure.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { shortenId } from '../../ui/text/asset-names.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { isZero } from '../../ui/text/token-amount.ts'
import { HeldTokens } from '../../ui/text/token-number.tsx'
import { nameToken } from './atomical-words.ts'
import { formatUnits, LEAST_UNITS, listUnsendable, OBSTACLE_WORDS } from './units.ts'
import { useArc20Token } from './use-atomicals.ts'

/** One ARC-20 token: what the account has of it, what of that can be sent now, and why not the rest. */
export function Token({ state }: PageProps) {
  const [, , id = ''] = useRoute()
  const { answer, problem, busy, retry } = useArc20Token(state, id)
  const watched = isKeyless(state.accounts.find(({ id }) => id === state.accountId))
  const token = answer?.token ?? null
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        watched || token === null ? null : (
          <Button
            variant="primary"
            disabled={isZero(token.sendable)}
            onClick={() => navigate(`/atomicals/token/${id}/send`)}
          >
            <ArrowUpRight size={18} aria-hidden />
            {words('homeSend')}
          </Button>
        )
      }
    >
      <Title hidden={token === null}>
        <span className={textStyles.breakable}>
          {token === null ? words('atomicalsTokens') : nameToken(token)}
        </span>
      </Title>
      {problem ? <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} /> : null}
      {answer === null && problem === null ? (
        <>
          <Skeleton size="balance" />
          <SkeletonRows count={3} />
        </>
      ) : null}
      {answer && token === null ? (
        answer.isChecked ? (
          <Empty icon={<SearchX size={20} aria-hidden />} title={words('atomicalsTokenGone')} />
        ) : (
          <NotChecked />
        )
      ) : null}
      {answer && token ? (
        <>
          <Holding token={token} />
          <Unsendable id={id} coins={answer.coins} />
          <p className={textStyles.note}>
            {words('atomicalsUnits', { least: formatUnits(LEAST_UNITS) })}
          </p>
          <dl className={factsStyles.facts}>
            {token.number === null ? null : (
              <Fact name={words('atomicalNumber')}>{`#${token.number}`}</Fact>
            )}
            <Fact name={words('inscriptionId')}>
              <CopiedText text={id} label={words('atomicalCopyId')}>
                {shortenId(id)}
              </CopiedText>
            </Fact>
          </dl>
        </>
      ) : null}
    </Screen>
  )
}

function Holding({ token }: { token: TokenView }) {
  const { amount, sendable, pending, coins } = token
  const amounts = useAmounts()
  return (
    <div className={figureStyles.box}>
      <p
        className={classNames(figureStyles.figure, textStyles.breakable)}
        data-testid="atomicals-balance"
      >
        <HeldTokens amount={amount} />
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

/** Why some of it cannot be sent now. */
function Unsendable({ id, coins }: { id: string; coins: CoinView[] }) {
  const amounts = useAmounts()
  const parts = listUnsendable(coins, id)
  if (parts.length === 0) return null
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('atomicalsHeld')}</h2>
      <ul className={rowStyles.rows}>
        {parts.map(({ obstacle, units }) => (
          <li key={obstacle} className={rowStyles.row}>
            <span className={rowStyles.text}>
              <b className={textStyles.breakable}>{amounts.tokens(String(units))}</b>
              <span className={rowStyles.note}>{words(OBSTACLE_WORDS[obstacle])}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className={textStyles.small}>
        <Link to="/coins">{words('inscriptionsSeeCoins')}</Link>
      </p>
    </section>
  )
}
