import { isKeyless } from '../../state/can-sign.ts'
/**
 * BRC-20: balances, one token's page, and the forms that deploy, mint and prepare a transfer. Balances are a server's word and
 * are shown as such; amounts keep all their digits.
 */

import { CircleDollarSign, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Brc20Overview } from '../../../background/views/brc20-views.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { currentLanguage, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ServerNotice } from '../../state/server-notice.tsx'
import { subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { isZero, sumTokenAmounts } from '../../ui/text/token-amount.ts'
import { TokenMark } from '../../ui/text/token-mark.tsx'
import { HeldTokens } from '../../ui/text/token-number.tsx'
import { VisibleWord } from '../../ui/text/visible-text.tsx'
import styles from './brc20.module.css'
import { explainTicker } from './operation-form.ts'
import { TOKEN_NEWS } from './token-facts.ts'
import { NoServer } from './token-parts.tsx'

/** The BRC-20 tokens of the account in use, and the ways to more of them. */
export function TokenList({ state }: PageProps) {
  const { answer, problem, busy, retry } = useQuery(
    () => call('getBrc20', null),
    subjectOf(state),
    TOKEN_NEWS,
  )
  const watched = isKeyless(state.accounts.find(({ id }) => id === state.accountId))
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        watched ? null : (
          <div className={layoutStyles.pair}>
            <Button variant="secondary" onClick={() => navigate('/brc20/deploy')}>
              {words('brc20Deploy')}
            </Button>
            <Button variant="primary" onClick={() => navigate('/brc20/mint')}>
              {words('brc20Mint')}
            </Button>
          </div>
        )
      }
    >
      <div className={layoutStyles.sectionHead}>
        <Title>{words('brc20Title')}</Title>
        <span className={textStyles.note}>
          {answer?.height == null ? '' : nameHeight(answer.height)}
        </span>
      </div>
      {problem ? <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} /> : null}
      {answer?.problem ? (
        <ServerNotice problem={answer.problem} busy={busy} onRetry={retry} />
      ) : null}
      {answer?.behind ? <Notice tone="caution">{words('serversBrc20Behind')}</Notice> : null}
      {answer ? <Balances overview={answer} /> : problem ? null : <SkeletonRows count={4} />}
      <TokenSearch />
    </Screen>
  )
}

function nameHeight(height: number): string {
  return words('serversBlock', { height: height.toLocaleString(currentLanguage()) })
}

function Balances({ overview }: { overview: Brc20Overview }) {
  const { server, balances, problem } = overview
  const amounts = useAmounts()
  if (server === null) return <NoServer />
  if (balances.length === 0) {
    if (problem) return null
    return (
      <Empty icon={<CircleDollarSign size={20} aria-hidden />} title={words('brc20Empty')}>
        {words('brc20EmptyNote')}
      </Empty>
    )
  }
  return (
    <Rows label={words('brc20Title')}>
      {balances.map(({ tick, available, transferable }) => (
        <LinkRow
          key={tick}
          to={`/brc20/token/${encodeURIComponent(tick)}`}
          icon={<TokenMark tick={tick} />}
          title={<VisibleWord text={tick} />}
          note={
            isZero(transferable)
              ? null
              : words('brc20ReadyToSend', { amount: amounts.tokens(transferable) })
          }
          end={
            <span className={rowStyles.sum}>
              <HeldTokens amount={sumTokenAmounts([available, transferable])} />
            </span>
          }
        />
      ))}
    </Rows>
  )
}

/** Any token by its ticker: to see what it is, to mint it, to keep it in the list. */
function TokenSearch() {
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    if (error !== null) form.current?.scrollIntoView({ block: 'end' })
  }, [error])
  return (
    <form
      ref={form}
      className={styles.search}
      autoComplete="off"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        const tick = field.current?.value.trim() ?? ''
        const wrong = explainTicker(tick)
        if (wrong === null) navigate(`/brc20/token/${encodeURIComponent(tick)}`)
        else setError(wrong)
      }}
    >
      <TextField
        ref={field}
        label={words('brc20Search')}
        placeholder="ordi"
        error={error}
        note={words('brc20SearchNote')}
        onInput={() => setError(null)}
      />
      <Button variant="secondary" type="submit" aria-label={words('brc20Find')}>
        <Search size={18} aria-hidden />
      </Button>
    </form>
  )
}
