/**
 * The parts of which every screen is made: screens, buttons, rows, notices, dialogs. They look and behave alike
 * everywhere, can be used by keyboard and are read out. They know nothing of wallets, and never ask the background.
 */

import { ArrowLeft, X } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, use, useEffect, useRef } from 'react'
import { goBack } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Pane } from './pane.ts'
import styles from './screen.module.css'
import textStyles from './styles/text.module.css'

type ScreenProps = {
  head?: ReactNode
  foot?: ReactNode
  children: ReactNode
  /** What a wide window has room for: lines of text as long as they are read well, a picture beside them, a table, or pictures. */
  room?: 'text' | 'review' | 'table' | 'gallery'
  /** Makes the screen a form: its submit button, or Enter in a field, calls this. */
  onSubmit?: () => void
}

/** Head, a part that scrolls, and the main action at the bottom. */
export function Screen({ head, foot, children, room = 'text', onSubmit }: ScreenProps) {
  const { place } = use(Pane)
  // There is no way back in the head of a first screen: what is left of it stands beside the title.
  const isBeside = place === 'first' || place === 'list'
  const parts = (
    <>
      {head && !isBeside ? <header className={styles.head}>{head}</header> : null}
      {/* The details beside a list are what the page is about. */}
      <main
        className={styles.content}
        role={place === 'list' ? 'none' : undefined}
        data-beside={room === 'review' || undefined}
      >
        {head && isBeside ? <div className={styles.beside}>{head}</div> : null}
        {children}
      </main>
      {foot ? <footer className={styles.foot}>{foot}</footer> : null}
    </>
  )
  const className = classNames(styles.screen, room !== 'text' && styles[room])
  if (!onSubmit) return <div className={className}>{parts}</div>
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Enter does no more than the button does.
    const button = event.currentTarget.querySelector('[type="submit"]')
    if (!button?.matches(':disabled, [aria-disabled="true"]')) onSubmit()
  }
  return (
    <form className={className} onSubmit={submit} autoComplete="off" noValidate>
      {parts}
    </form>
  )
}

type TitleProps = {
  children: ReactNode
  /** It takes the focus when it appears, unless a field of the screen does. */
  focus?: boolean
  /** Read out and in the name of the tab, but not seen: for screens that show what they are. */
  hidden?: boolean
}

/** The h1 of a screen; the tab is named after it. */
export function Title({ children, focus = true, hidden = false }: TitleProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const isSecond = use(Pane).place === 'list'
  useEffect(() => {
    if (focus && !isSecond) title.current?.focus({ preventScroll: true })
  }, [focus, isSecond])
  useEffect(() => {
    if (!isSecond) document.title = `${title.current?.textContent} · Satchel`
  })
  return (
    <h1
      ref={title}
      tabIndex={-1}
      aria-level={isSecond ? 2 : undefined}
      className={hidden ? textStyles.visuallyHidden : undefined}
    >
      {children}
    </h1>
  )
}

/**
 * Goes back by press, by Escape and by Alt+Left, so that every screen that can be left is left in the same way. A screen that
 * the navigation at the side leads to is left by that; details beside their list are closed.
 */
export function BackButton({ onBack }: { onBack: () => void }) {
  const { place, close } = use(Pane)
  const isLast = onBack === goBack
  const isShown = place === 'alone' || place === 'details'
  const isHeard = isShown || !isLast
  const closes = isLast && close !== null
  const latest = useRef(onBack)
  latest.current = closes ? close : onBack
  useEffect(() => {
    if (!isHeard) return
    const onKey = (event: KeyboardEvent) => {
      const wanted = event.key === 'Escape' || (event.key === 'ArrowLeft' && event.altKey)
      // A dialog closes itself on Escape, and an input method ends what it composes.
      if (!wanted || event.defaultPrevented || event.isComposing) return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isHeard])
  if (!isShown) return null
  return (
    <IconButton
      label={words(closes ? 'commonClose' : 'commonBack')}
      onClick={() => latest.current()}
    >
      {closes ? <X size={20} aria-hidden /> : <ArrowLeft size={20} aria-hidden />}
    </IconButton>
  )
}

/** Gives the focus to an element when its screen appears. */
export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
