import { Atom } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AtomicalView, TokenView } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { keyOfAtomical } from '../../../ordinals/asset-key.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import { NotChecked } from '../../state/atomicals-server.tsx'
import { isKeyless } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { UncheckedNotice } from '../../state/unchecked-notice.tsx'
import { subjectOf } from '../../state/use-overview.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import tileStyles from '../../ui/pictures/tile.module.css'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { isZero } from '../../ui/text/token-amount.ts'
import { TokenMark } from '../../ui/text/token-mark.tsx'
import { HeldTokens } from '../../ui/text/token-number.tsx'
import { nameShort, nameToken } from './atomical-words.ts'
import { type Chosen, obstacleOf, refreshChosen, toggleChosen } from './chosen.ts'
import styles from './collectibles.module.css'
import { galleryMemory } from './gallery-memory.ts'
import { nameCondition } from './inscription-words.ts'
import { moveFocus } from './move-focus.ts'
import { Badge, TileBox } from './tile.tsx'
import { useAtomicals } from './use-atomicals.ts'

/** The Atomicals of the account in use: tokens, and NFTs to look at or to choose some that are sent. */
export function Atomicals({ state }: PageProps) {
  const subject = subjectOf(state)
  return <AccountAtomicals key={subject} subject={subject} state={state} />
}

function AccountAtomicals({ subject, state }: { subject: string; state: WalletState }) {
  const { answer, problem, busy, retry, hasMore, showMore } = useAtomicals(subject)
  const watched = isKeyless(state.accounts.find(({ id }) => id === state.accountId))
  const { choice, choose, toggle } = useChoice(subject)
  const nfts = answer?.nfts ?? []
  const chosen = choice && refreshChosen(choice, nfts)
  const isEmpty = answer !== null && answer.total === 0 && answer.tokens.length === 0
  return (
    <Screen
      room="gallery"
      head={
        <>
          <BackButton onBack={chosen ? () => choose(null) : goBack} />
          {watched || nfts.length === 0 ? null : (
            <span className={layoutStyles.push}>
              <Button variant="quiet" onClick={() => choose(chosen ? null : new Map())}>
                {words(chosen ? 'commonCancel' : 'inscriptionsSelect')}
              </Button>
            </span>
          )}
        </>
      }
      foot={
        chosen ? (
          <Button
            variant="primary"
            disabled={chosen.size === 0}
            onClick={() =>
              navigate(`/inscriptions/send/${[...chosen.keys()].map(keyOfAtomical).join(',')}`)
            }
          >
            {chosen.size === 0
              ? words('inscriptionsChooseSome')
              : words('transferTitle', { what: countWords('assetAtomicals', chosen.size) })}
          </Button>
        ) : null
      }
    >
      <Title>{words('atomicalsTitle')}</Title>
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
      {answer?.isChecked ? (
        <UncheckedNotice
          unchecked={answer.unchecked}
          note="atomicalsUncheckedNote"
          busy={busy}
          onRetry={retry}
        />
      ) : null}
      {answer && !answer.isChecked ? <NotChecked /> : null}
      {answer?.isChecked && isEmpty ? <Nothing isSure={answer.unchecked.count === 0} /> : null}
      {answer ? <Tokens tokens={answer.tokens} /> : null}
      {answer && nfts.length > 0 ? (
        <Tiles nfts={nfts} total={answer.total} chosen={chosen} onToggle={toggle} />
      ) : null}
      {hasMore ? (
        <Button variant="quiet" busy={busy} onClick={showMore}>
          {words('sendCoinsMore')}
        </Button>
      ) : null}
    </Screen>
  )
}

function Nothing({ isSure }: { isSure: boolean }) {
  return (
    <Empty
      icon={<Atom size={20} aria-hidden />}
      title={words(isSure ? 'atomicalsEmptyTitle' : 'inscriptionsNoneKnown')}
    >
      {isSure ? words('atomicalsEmpty') : null}
    </Empty>
  )
}

function Tokens({ tokens }: { tokens: TokenView[] }) {
  const amounts = useAmounts()
  if (tokens.length === 0) return null
  return (
    <section className={layoutStyles.stack}>
      <div className={layoutStyles.sectionHead}>
        <h2>{words('atomicalsTokens')}</h2>
      </div>
      <Rows label={words('atomicalsTokens')}>
        {tokens.map(token => (
          <LinkRow
            key={token.id}
            to={`/atomicals/token/${token.id}`}
            icon={<TokenMark tick={nameToken(token)} />}
            title={<span className={styles.atomicalName}>{nameToken(token)}</span>}
            note={
              isZero(token.pending)
                ? null
                : words('atomicalsPending', { amount: amounts.tokens(token.pending) })
            }
            end={
              <span className={rowStyles.sum}>
                <HeldTokens amount={token.amount} />
              </span>
            }
          />
        ))}
      </Rows>
    </section>
  )
}

type TilesProps = {
  nfts: AtomicalView[]
  total: number
  chosen: Chosen<AtomicalView> | null
  onToggle: (atomical: AtomicalView) => void
}

function Tiles({ nfts, total, chosen, onToggle }: TilesProps) {
  const list = useRef<HTMLUListElement>(null)
  const shown = useRef(nfts.length)
  useEffect(() => {
    const before = shown.current
    shown.current = nfts.length
    // The button for more may be gone, and the focus with it.
    if (nfts.length > before && document.activeElement === document.body)
      list.current?.children[before]?.querySelector<HTMLElement>('a, button')?.focus()
  }, [nfts.length])
  return (
    <section className={layoutStyles.stack}>
      <div className={layoutStyles.sectionHead}>
        <h2>{words('atomicalsNfts')}</h2>
        <span className={textStyles.note} role="status">
          {total.toLocaleString(currentLanguage())}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys only add to Tab */}
      <div onKeyDown={moveFocus}>
        <ul ref={list} className={styles.atomicalTiles} aria-label={words('atomicalsNfts')}>
          {nfts.map((nft, at) => (
            <li key={nft.id} aria-posinset={at + 1} aria-setsize={total}>
              <TileBox
                to={`/atomicals/${nft.id}`}
                chosen={chosen?.has(nft.id) ?? null}
                isFixed={obstacleOf(nft) !== null}
                onToggle={() => onToggle(nft)}
              >
                <InscriptionPicture id={keyOfAtomical(nft.id)} size="tile" name={nft.name} />
                <Badge held={nft.held} pending={nft.pending} />
                <span className={tileStyles.name}>{nameShort(nft)}</span>{' '}
                <span className={tileStyles.note}>{nameCondition(nft) ?? noteOf(nft)}</span>
              </TileBox>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** The number of what goes by its name. */
function noteOf({ name, number }: AtomicalView): string {
  return name === null || number === null ? '' : `#${number}`
}

/** What is chosen; it stays while the person looks elsewhere. */
function useChoice(subject: string) {
  const [choice, setChoice] = useState(() => galleryMemory(subject).chosenAtomicals)
  const choose = useCallback(
    (next: Chosen<AtomicalView> | null) => {
      galleryMemory(subject).chosenAtomicals = next
      setChoice(next)
    },
    [subject],
  )
  const toggle = useCallback(
    (atomical: AtomicalView) =>
      choose(toggleChosen(galleryMemory(subject).chosenAtomicals ?? new Map(), atomical)),
    [choose, subject],
  )
  return { choice, choose, toggle }
}
