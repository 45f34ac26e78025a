import { isKeyless, isWatched } from '../../state/can-sign.ts'
/**
 * Inscriptions and Atomicals: the galleries, each item's page with how far it was checked, and sending and splitting. A list may
 * be of any length: only what is near the view is loaded and kept. Nothing shown here ever runs as code.
 */

import { EyeOff, ImageOff, Images, MailWarning } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { InscriptionGroup, InscriptionView } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { useWide } from '../../platform/wide.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ServerWays } from '../../state/server-ways.tsx'
import { UncheckedNotice } from '../../state/unchecked-notice.tsx'
import { subjectOf } from '../../state/use-overview.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { type Chosen, isSendable, refreshChosen, toggleChosen } from './chosen.ts'
import styles from './collectibles.module.css'
import { galleryMemory } from './gallery-memory.ts'
import { GalleryPage } from './gallery-page.tsx'
import { countOn, countPages } from './gallery-pages.ts'
import { moveFocus } from './move-focus.ts'
import { useGallery } from './use-gallery.ts'
import { HideDialog, ShowButton } from './visibility.tsx'

/** The inscriptions of the account in use, newest arrivals first: to look at, or to choose some that are sent or hidden. */
export function Gallery({ state }: PageProps) {
  return <AccountGallery key={subjectOf(state)} state={state} group="shown" />
}

/** Those that the person hid: to look at, or to choose some that are shown again. */
export function HiddenInscriptions({ state }: PageProps) {
  return <AccountGallery key={`${subjectOf(state)} hidden`} state={state} group="hidden" />
}

/** What came unasked and may be spam, none of it drawn: to look at one by one, or to choose some that are kept. */
export function PossibleSpam({ state }: PageProps) {
  return <AccountGallery key={`${subjectOf(state)} spam`} state={state} group="spam" />
}

type AccountGalleryProps = { state: WalletState; group: InscriptionGroup }

function AccountGallery({ state, group }: AccountGalleryProps) {
  const subject = subjectOf(state)
  const isShown = group === 'shown'
  const isChoosable = isShown ? isSendable : isAny
  const aside = group === 'shown' ? null : ASIDE[group]
  const gallery = useGallery(subject, group)
  const { total, hidden, spam, pages, unchecked, problem, busy, retry, see } = gallery
  const [hiding, setHiding] = useState(false)
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const canSend = !isWatched(account)
  const { choice, choose, toggle } = useChoice(subject, group)
  const chosen = choice && refreshChosen(choice, [...pages.values()].flat(), isChoosable)
  const grid = useScrollMemory(subject, group)
  const guess = useWide() ? WIDE_GUESS : FIRST_GUESS
  return (
    <Screen
      room="gallery"
      head={
        <>
          <BackButton onBack={chosen ? () => choose(null) : goBack} />
          {total !== null && total > 0 ? (
            <span className={layoutStyles.push}>
              <Button variant="quiet" onClick={() => choose(chosen ? null : new Map())}>
                {words(chosen ? 'commonCancel' : 'inscriptionsSelect')}
              </Button>
            </span>
          ) : null}
        </>
      }
      foot={
        (problem && total !== null) || chosen ? (
          <>
            {problem && total !== null ? (
              <Failure problem={problem} busy={busy} onRetry={retry} />
            ) : null}
            {chosen && isShown ? (
              <ChosenActions
                ids={[...chosen.keys()]}
                canSend={canSend}
                onHide={() => setHiding(true)}
              />
            ) : null}
            {chosen && aside ? (
              <ShowButton
                ids={[...chosen.keys()]}
                name={aside.show}
                done={aside.done}
                onDone={() => choose(null)}
              />
            ) : null}
          </>
        ) : null
      }
    >
      <div className={layoutStyles.sectionHead}>
        <Title>{words(aside?.title ?? 'inscriptionsTitle')}</Title>
        <span className={classNames(textStyles.muted, textStyles.nowrap)} role="status">
          {total ? countWords('inscriptionsCount', total) : ''}
        </span>
      </div>
      {aside ? (
        <p className={textStyles.muted}>{words(aside.note)}</p>
      ) : (
        <UncheckedNotice unchecked={unchecked} busy={busy} onRetry={retry} />
      )}
      {total === 0 && aside ? (
        <Empty icon={<aside.Icon size={20} aria-hidden />} title={words(aside.none)} />
      ) : null}
      {isShown && total === 0 && hidden + spam === 0 && unchecked.count === 0 && !problem ? (
        <Empty icon={<Images size={20} aria-hidden />} title={words('inscriptionsEmptyTitle')}>
          {words('inscriptionsEmpty')}
          {isKeyless(account) ? null : (
            <p>
              <Link to="/inscribe">{words('jobsNew')}</Link>
            </p>
          )}
        </Empty>
      ) : null}
      {isShown && total === 0 && unchecked.count > 0 ? (
        <Empty icon={<ImageOff size={20} aria-hidden />} title={words('inscriptionsNoneKnown')} />
      ) : null}
      {total === null && problem ? (
        <Failure problem={problem} busy={busy} onRetry={retry} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys only add to Tab
        <div ref={grid} className={styles.gallery} aria-busy={total === null} onKeyDown={moveFocus}>
          {total === null ? (
            <span className={textStyles.visuallyHidden}>{words('commonLoading')}</span>
          ) : null}
          {Array.from({ length: countPages(total ?? guess) }, (_, index) => (
            <GalleryPage
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
              key={index}
              index={index}
              count={countOn(index, total ?? guess)}
              total={total ?? guess}
              inscriptions={pages.get(index)}
              chosen={chosen}
              isChoosable={isChoosable}
              isVeiled={group === 'spam'}
              onSee={see}
              onToggle={toggle}
            />
          ))}
        </div>
      )}
      {isShown && hidden + spam > 0 && chosen === null ? (
        <Rows label={words('hiddenTitle')}>
          {(['spam', 'hidden'] as const).map(other => {
            const { Icon, title } = ASIDE[other]
            if (gallery[other] === 0) return null
            return (
              <LinkRow
                key={other}
                to={`/inscriptions/${other}`}
                icon={<Icon size={20} aria-hidden />}
                title={words(title)}
                note={countWords('inscriptionsCount', gallery[other])}
              />
            )
          })}
        </Rows>
      ) : null}
      {hiding && chosen ? (
        <HideDialog
          ids={[...chosen.keys()]}
          parents={[]}
          onClose={() => setHiding(false)}
          onDone={() => {
            setHiding(false)
            choose(null)
          }}
        />
      ) : null}
    </Screen>
  )
}

/** The lists beside the gallery. */
const ASIDE = {
  hidden: {
    Icon: EyeOff,
    title: 'hiddenTitle',
    note: 'hiddenNote',
    none: 'hiddenNone',
    show: 'hiddenShowSome',
    done: 'hiddenShownNow',
  },
  spam: {
    Icon: MailWarning,
    title: 'spamTitle',
    note: 'spamNote',
    none: 'spamNone',
    show: 'spamKeepSome',
    done: 'spamKept',
  },
} as const

type ChosenActionsProps = { ids: readonly string[]; canSend: boolean; onHide: () => void }

/** What is done with those that are chosen. */
function ChosenActions({ ids, canSend, onHide }: ChosenActionsProps) {
  if (ids.length === 0)
    return (
      <Button variant="primary" disabled>
        {words('inscriptionsChooseSome')}
      </Button>
    )
  return (
    <div className={canSend ? layoutStyles.unequalPair : layoutStyles.pair}>
      <Button variant="secondary" onClick={onHide}>
        {words('hiddenHide')}
      </Button>
      {canSend ? (
        <Button variant="primary" onClick={() => navigate(`/inscriptions/send/${ids.join(',')}`)}>
          {countWords('inscriptionsSend', ids.length)}
        </Button>
      ) : null}
    </div>
  )
}

const isAny = () => true

/** Grey tiles that fill the popup while nothing is known, and a wide window. */
const FIRST_GUESS = 9
const WIDE_GUESS = 30

function Failure(props: { problem: string; busy: boolean; onRetry: () => void }) {
  return (
    <Notice
      tone="caution"
      title={words('inscriptionsUnknown')}
      live
      actions={<ServerWays busy={props.busy} onRetry={props.onRetry} />}
    >
      <p>{props.problem}</p>
    </Notice>
  )
}

/** What is chosen; it stays while the person looks elsewhere. */
function useChoice(subject: string, group: InscriptionGroup) {
  const [choice, setChoice] = useState<Chosen | null>(() => galleryMemory(subject, group).chosen)
  const choose = useCallback(
    (next: Chosen | null) => {
      galleryMemory(subject, group).chosen = next
      setChoice(next)
    },
    [subject, group],
  )
  const toggle = useCallback(
    (inscription: InscriptionView) =>
      choose(
        toggleChosen<InscriptionView>(
          galleryMemory(subject, group).chosen ?? new Map(),
          inscription,
          {
            isChoosable: group === 'shown' ? isSendable : isAny,
          },
        ),
      ),
    [choose, subject, group],
  )
  return { choice, choose, toggle }
}

/** Comes back to where the gallery was left, and to the tile that was opened; its height is known before its pictures are. */
function useScrollMemory(subject: string, group: InscriptionGroup) {
  const grid = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const content = grid.current?.closest('main')
    if (!content) return
    const memory = galleryMemory(subject, group)
    content.scrollTop = memory.scrolled
    const keep = () => {
      memory.scrolled = content.scrollTop
    }
    content.addEventListener('scroll', keep, { passive: true })
    return () => content.removeEventListener('scroll', keep)
  }, [subject, group])
  useEffect(() => {
    const element = grid.current
    if (!element) return
    const memory = galleryMemory(subject, group)
    const { opened } = memory
    const open = (event: Event) => {
      const tile = event.target instanceof Element ? event.target.closest(TILE_LINK) : null
      memory.opened = tile?.getAttribute('href') ?? null
    }
    const tiles = new MutationObserver(() => {
      // Whoever has gone on meanwhile is left alone.
      if (!document.activeElement?.matches('body, h1')) return tiles.disconnect()
      const tile = element.querySelector<HTMLElement>(`${TILE_LINK}[href="${opened}"]`)
      if (!tile) return
      tiles.disconnect()
      tile.focus({ preventScroll: true })
    })
    if (opened !== null) tiles.observe(element, { childList: true, subtree: true })
    element.addEventListener('click', open)
    return () => {
      tiles.disconnect()
      element.removeEventListener('click', open)
    }
  }, [subject, group])
  return grid
}

const TILE_LINK = 'li > a'
