/**
 * Runes: what the account has of each, one rune's page, and the form that sends some. How much there is is an index's word;
 * what a rune is is held against its etching. Amounts keep all their digits.
 */

import { Gem, Plus, Stamp } from 'lucide-react'
import type { RuneView } from '../../../background/views/asset-views.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { UncheckedNotice } from '../../state/unchecked-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { RuneName } from '../../ui/text/rune-name.tsx'
import { isZero } from '../../ui/text/token-amount.ts'
import { TokenMark } from '../../ui/text/token-mark.tsx'
import { HeldTokens } from '../../ui/text/token-number.tsx'
import { FindRune } from './find-rune.tsx'
import { isMintOpen, nameMintState } from './mint-words.ts'
import { useMints } from './use-mints.ts'
import { useRunes } from './use-runes.ts'

/** The runes of the account in use. */
export function RuneList({ state }: PageProps) {
  const { answer, problem, busy, retry } = useRunes(state)
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        answer ? (
          <Button variant="secondary" onClick={() => navigate('/runes/etch')}>
            <Plus size={18} aria-hidden />
            {words('etchTitle')}
          </Button>
        ) : null
      }
    >
      <Title>{words('runesTitle')}</Title>
      <OpenMints state={state} />
      {problem ? (
        <RetryNotice
          tone="caution"
          title={words('inscriptionsUnknown')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
      {answer === null && problem === null ? <SkeletonRows count={4} /> : null}
      {answer ? (
        <>
          <UncheckedNotice
            unchecked={answer.unchecked}
            note="runesUncheckedNote"
            busy={busy}
            onRetry={retry}
          />
          {answer.runes.length === 0 ? (
            <Empty
              icon={<Gem size={20} aria-hidden />}
              title={words(answer.unchecked.count === 0 ? 'runesEmptyTitle' : 'runesNoneKnown')}
            >
              {words('runesEmpty')}
            </Empty>
          ) : (
            <Rows label={words('runesTitle')}>
              {answer.runes.map(rune => (
                <RuneRow key={rune.name} rune={rune} />
              ))}
            </Rows>
          )}
        </>
      ) : null}
      <FindRune />
    </Screen>
  )
}

/** Mints under way. */
function OpenMints({ state }: Pick<PageProps, 'state'>) {
  const { answer } = useMints(state)
  const open = answer?.filter(isMintOpen) ?? []
  if (open.length === 0) return null
  return (
    <Rows label={words('runeMintsOpen')}>
      {open.map(mint => (
        <LinkRow
          key={mint.id}
          to={`/runes/mints/${mint.id}`}
          icon={<Stamp size={20} aria-hidden />}
          tone={mint.state === 'stuck' ? 'danger' : 'plain'}
          title={nameMintState(mint)}
          note={
            <span className={textStyles.breakable}>
              <RuneName name={mint.rune.name} />
            </span>
          }
        />
      ))}
    </Rows>
  )
}

function RuneRow({ rune }: { rune: RuneView }) {
  const { name, symbol, amount, pending } = rune
  const amounts = useAmounts()
  return (
    <LinkRow
      to={`/runes/rune/${encodeURIComponent(name)}`}
      icon={<TokenMark tick={symbol ?? name} />}
      title={
        <span className={textStyles.breakable}>
          <RuneName name={name} />
        </span>
      }
      note={isZero(pending) ? null : words('atomicalsPending', { amount: amounts.tokens(pending) })}
      end={
        <span className={rowStyles.sum}>
          <HeldTokens amount={amount} />
        </span>
      }
    />
  )
}
