import { isKeyless, isWatched } from '../../state/can-sign.ts'
/**
 * Inscriptions and Atomicals: the galleries, each item's page with how far it was checked, and sending and splitting. A list may
 * be of any length: only what is near the view is loaded and kept. Nothing shown here ever runs as code.
 */

import { ImageOff, Images } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { InscriptionView } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ServerWays } from '../../state/server-ways.tsx'
import { UncheckedNotice } from '../../state/unchecked-notice.tsx'
import { subjectOf } from '../../state/use-overview.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { type Chosen, refreshChosen, toggleChosen } from './chosen.ts'
import styles from './collectibles.module.css'
import { galleryMemory } from './gallery-memory.ts'
import { GalleryPage } from './gallery-page.tsx'
import { countOn, countPages } from './gallery-pages.ts'
import { moveFocus } from './move-focus.ts'
import { useGallery } from './use-gallery.ts'

/** The inscriptions of the account in use, newest arrivals first: to look at, or to choose some that are sent. */
export function Gallery({ state }: PageProps) {
  const subject = subjectOf(state)
  return <AccountGallery key={subject} subject={subject} state={state} />
}

function AccountGallery({ subject, state }: { subject: string; state: WalletState }) {
  const { total, pages, unchecked, problem, busy, retry, see } = useGallery(subject)
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const canSend = !isWatched(account) && total !== null && total > 0
  const { choice, choose, toggle } = useChoice(subject)
  const chosen = choice && refreshChosen(choice, [...pages.values()].flat())
  const grid = useScrollMemory(subject)
  return (
    <Screen
      head={
        <>
          <BackButton onBack={chosen ? () => choose(null) : goBack} />
          {canSend ? (
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
            {chosen ? (
              <Button
                variant="primary"
                disabled={chosen.size === 0}
                onClick={() => navigate(`/inscriptions/send/${[...chosen.keys()].join(',')}`)}
              >
                {chosen.size === 0
                  ? words('inscriptionsChooseSome')
                  : countWords('inscriptionsSend', chosen.size)}
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      <div className={layoutStyles.sectionHead}>
        <Title>{words('inscriptionsTitle')}</Title>
        <span className={textStyles.muted} role="status">
          {total ? countWords('inscriptionsCount', total) : ''}
        </span>
      </div>
      <UncheckedNotice unchecked={unchecked} busy={busy} onRetry={retry} />
      {total === 0 && unchecked.count === 0 && !problem ? (
        <Empty icon={<Images size={20} aria-hidden />} title={words('inscriptionsEmptyTitle')}>
          {words('inscriptionsEmpty')}
          {isKeyless(account) ? null : (
            <p>
              <Link to="/inscribe">{words('jobsNew')}</Link>
            </p>
          )}
        </Empty>
      ) : null}
      {total === 0 && unchecked.count > 0 ? (
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
          {Array.from({ length: countPages(total ?? FIRST_GUESS) }, (_, index) => (
            <GalleryPage
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
              key={index}
              index={index}
              count={countOn(index, total ?? FIRST_GUESS)}
              total={total ?? FIRST_GUESS}
              inscriptions={pages.get(index)}
              chosen={chosen}
              onSee={see}
              onToggle={toggle}
            />
          ))}
        </div>
      )}
    </Screen>
  )
}

/** Grey tiles that fill the popup while nothing is known. */
const FIRST_GUESS = 9

function Failure(props: { problem: string; busy: boolean; onRetry: () => void }) {
  return (
    <Notice tone="caution" title={words('inscriptionsUnknown')} live>
      <p>{props.problem}</p>
      <ServerWays busy={props.busy} onRetry={props.onRetry} />
    </Notice>
  )
}

/** What is chosen; it stays while the person looks elsewhere. */
function useChoice(subject: string) {
  const [choice, setChoice] = useState<Chosen | null>(() => galleryMemory(subject).chosen)
  const choose = useCallback(
    (next: Chosen | null) => {
      galleryMemory(subject).chosen = next
      setChoice(next)
    },
    [subject],
  )
  const toggle = useCallback(
    (inscription: InscriptionView) =>
      choose(toggleChosen(galleryMemory(subject).chosen ?? new Map(), inscription)),
    [choose, subject],
  )
  return { choice, choose, toggle }
}

/** Comes back to where the gallery was left, and to the tile that was opened; its height is known before its pictures are. */
function useScrollMemory(subject: string) {
  const grid = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const content = grid.current?.closest('main')
    if (!content) return
    const memory = galleryMemory(subject)
    content.scrollTop = memory.scrolled
    const keep = () => {
      memory.scrolled = content.scrollTop
    }
    content.addEventListener('scroll', keep, { passive: true })
    return () => content.removeEventListener('scroll', keep)
  }, [subject])
  useEffect(() => {
    const element = grid.current
    if (!element) return
    const memory = galleryMemory(subject)
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
  }, [subject])
  return grid
}

const TILE_LINK = 'li > a'
