import { ArrowUpRight, SearchX, Star } from 'lucide-react'
import { useState } from 'react'
import type { Brc20TokenView } from '../../../background/views/brc20-views.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { nameTokens } from '../../review/inscribing/brc20-words.ts'
import { TickerNotice } from '../../review/inscribing/ticker-notice.tsx'
import { Fact } from '../../review/transaction-facts.tsx'
import { isKeyless } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ServerNotice } from '../../state/server-notice.tsx'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import figureStyles from '../../ui/styles/figure.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { shortenId } from '../../ui/text/asset-names.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { isZero, sumTokenAmounts } from '../../ui/text/token-amount.ts'
import { HeldTokens, TokenNumber } from '../../ui/text/token-number.tsx'
import { spellWord } from '../../ui/text/visible-parts.ts'
import { VisibleWord } from '../../ui/text/visible-text.tsx'
import styles from './brc20.module.css'
import { factsOf, hasBalances, isTicker, useToken } from './token-facts.ts'
import { isMintable, MintedFact, NoServer, type TokenFacts } from './token-parts.tsx'

/** One token: what the account holds of it, what is ready to be sent, and what the token is. The path names it. */
export function Token({ state }: PageProps) {
  const [, , tick = ''] = useRoute()
  const { answer, problem, busy, retry } = useToken(state, tick)
  const watched = isKeyless(state.accounts.find(({ id }) => id === state.accountId))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const ready = answer?.transferables.filter(({ outpoint }) => outpoint !== null) ?? []
  const sending = ready.filter(({ id }) => chosen.includes(id))
  return (
    <Screen
      head={
        <>
          <BackButton onBack={goBack} />
          {answer && answer.token !== 'none' ? (
            <FollowButton view={answer} onChanged={retry} />
          ) : null}
        </>
      }
      foot={
        watched || answer === null ? null : sending.length > 0 ? (
          <Button
            variant="primary"
            onClick={() => navigate(`/inscriptions/send/${sending.map(({ id }) => id).join(',')}`)}
          >
            <ArrowUpRight size={18} aria-hidden />
            {words('brc20Send', {
              what: nameTokens(sumTokenAmounts(sending.map(({ amount }) => amount)), tick),
            })}
          </Button>
        ) : (
          <Actions view={answer} />
        )
      }
    >
      <Title>
        <VisibleWord text={tick} />
      </Title>
      <TickerNotice tick={tick} />
      {problem ? <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} /> : null}
      {answer?.problem ? (
        <ServerNotice problem={answer.problem} busy={busy} onRetry={retry} />
      ) : null}
      {!isTicker(tick) ? (
        <Empty icon={<SearchX size={20} aria-hidden />} title={words('brc20TickLength')} />
      ) : answer === null ? (
        problem ? null : (
          <>
            <Skeleton size="balance" />
            <SkeletonRows count={3} />
          </>
        )
      ) : answer.server === null ? (
        <NoServer />
      ) : answer.token === 'none' ? (
        <Empty
          icon={<SearchX size={20} aria-hidden />}
          title={words('brc20NotDeployed', { tick: spellWord(tick) })}
        >
          {words('brc20NotDeployedNote')}
        </Empty>
      ) : (
        <>
          {hasBalances(answer) ? <Holding view={answer} /> : null}
          <Transferables view={answer} chosen={watched ? null : chosen} onChoose={setChosen} />
          <TokenFactList facts={factsOf(answer)} />
        </>
      )}
    </Screen>
  )
}

/** Keeps the token in the list even while the account holds none of it. */
function FollowButton({ view, onChanged }: { view: Brc20TokenView; onChanged: () => void }) {
  const { tick, followed } = view
  const task = useTask()
  const toggle = () =>
    task.run(async () => {
      await call('followBrc20', { tick, followed: !followed })
      onChanged()
    })
  return (
    <span className={layoutStyles.push}>
      <Button
        variant="quiet"
        aria-pressed={followed}
        busy={task.busy}
        data-testid="brc20-follow"
        onClick={() => void toggle()}
      >
        <Star size={16} aria-hidden fill={followed ? 'currentColor' : 'none'} />
        {words(followed ? 'brc20Followed' : 'brc20Follow')}
      </Button>
    </span>
  )
}

function Actions({ view }: { view: Brc20TokenView }) {
  const tick = encodeURIComponent(view.tick)
  if (view.token === 'none') {
    return (
      <Button variant="primary" onClick={() => navigate(`/brc20/deploy/${tick}`)}>
        {words('brc20Deploy')}
      </Button>
    )
  }
  const canSend = !hasBalances(view) || !isZero(view.available)
  const canMint = isMintable(view)
  if (!canSend && !canMint) return null
  return (
    <div className={layoutStyles.pair}>
      {canMint ? (
        <Button
          variant={canSend ? 'secondary' : 'primary'}
          onClick={() => navigate(`/brc20/mint/${tick}`)}
        >
          {words('brc20Mint')}
        </Button>
      ) : null}
      {canSend ? (
        <Button variant="primary" onClick={() => navigate(`/brc20/send/${tick}`)}>
          <ArrowUpRight size={18} aria-hidden />
          {words('homeSend')}
        </Button>
      ) : null}
    </div>
  )
}

function Holding({ view }: { view: Brc20TokenView }) {
  const { available, transferable } = view
  const amounts = useAmounts()
  return (
    <div className={figureStyles.box}>
      <p
        className={classNames(figureStyles.figure, textStyles.breakable)}
        data-testid="brc20-balance"
      >
        <HeldTokens amount={sumTokenAmounts([available, transferable])} />
      </p>
      <p className={classNames(textStyles.muted, textStyles.breakable)}>
        {amounts.isHidden
          ? words('homeAmountsHidden')
          : words('brc20Split', {
              available: amounts.tokens(available),
              transferable: amounts.tokens(transferable),
            })}
      </p>
    </div>
  )
}

type TransferablesProps = {
  view: Brc20TokenView
  /** Ids; null where nothing can be sent. */
  chosen: readonly string[] | null
  onChoose: (chosen: readonly string[]) => void
}

/** Transfer inscriptions: each is sent as a whole. */
function Transferables({ view, chosen, onChoose }: TransferablesProps) {
  const { transferables, tick } = view
  const amounts = useAmounts()
  if (transferables.length === 0) return null
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('brc20Ready')}</h2>
      <ul className={rowStyles.rows}>
        {transferables.map(({ id, amount, outpoint }) => {
          const text = (
            <>
              <b>{nameTokens(amounts.digits(amount), tick)}</b>
              <span className={classNames(textStyles.note, textStyles.mono)}>{shortenId(id)}</span>
              {outpoint === null ? (
                <span className={textStyles.note}>{words('brc20NotHere')}</span>
              ) : null}
            </>
          )
          return (
            <li key={id} className={styles.transferable}>
              {chosen === null || outpoint === null ? (
                <span className={styles.transferText}>{text}</span>
              ) : (
                <Check
                  checked={chosen.includes(id)}
                  testId={`brc20-transferable-${id}`}
                  onCheck={checked =>
                    onChoose(checked ? [...chosen, id] : chosen.filter(other => other !== id))
                  }
                >
                  <span className={styles.transferText}>{text}</span>
                </Check>
              )}
            </li>
          )
        })}
      </ul>
      {chosen === null ? null : <p className={textStyles.note}>{words('brc20ReadyNote')}</p>}
    </section>
  )
}

function TokenFactList({ facts }: { facts: TokenFacts | null }) {
  if (facts === null) return null
  const { supply, limit, decimals, selfMint, deploy } = facts
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('brc20About')}</h2>
      <MintedFact facts={facts} />
      <dl className={factsStyles.facts}>
        <Fact name={words('brc20Supply')}>
          <TokenNumber amount={supply} />
        </Fact>
        <Fact name={words('brc20Limit')}>
          <TokenNumber amount={limit} />
        </Fact>
        <Fact name={words('brc20Decimals')}>{decimals}</Fact>
        <Fact name={words('brc20WhoMints')}>
          {words(selfMint ? 'brc20SelfMint' : 'brc20Everybody')}
        </Fact>
        {deploy === null ? null : (
          <Fact name={words('pictureDeploy')}>
            <span className={textStyles.mono} title={deploy}>
              {shortenId(deploy)}
            </span>
          </Fact>
        )}
      </dl>
    </section>
  )
}
