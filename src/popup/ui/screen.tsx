/**
 * The parts of which every screen is made: screens, buttons, rows, notices, dialogs. They look and behave alike
 * everywhere, can be used by keyboard and are read out. They know nothing of wallets, and never ask the background.
 */

import { ArrowLeft } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { words } from '../platform/words.ts'
import { IconButton } from './button.tsx'

type ScreenProps = {
  head?: ReactNode
  foot?: ReactNode
  children: ReactNode
  /** Makes the screen a form: its submit button, or Enter in a field, calls this. */
  onSubmit?: () => void
}

/** Head, a part that scrolls, and the main action at the bottom. */
export function Screen({ head, foot, children, onSubmit }: ScreenProps) {
  const parts = (
    <>
      {head ? <header className="head">{head}</header> : null}
      <main className="content">{children}</main>
      {foot ? <footer className="foot">{foot}</footer> : null}
    </>
  )
  if (!onSubmit) return <div className="screen">{parts}</div>
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Enter does no more than the button does.
    const button = event.currentTarget.querySelector('[type="submit"]')
    if (!button?.matches(':disabled, [aria-disabled="true"]')) onSubmit()
  }
  return (
    <form className="screen" onSubmit={submit} autoComplete="off" noValidate>
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
  useEffect(() => {
    if (focus) title.current?.focus({ preventScroll: true })
  }, [focus])
  useEffect(() => {
    document.title = `${title.current?.textContent} · Satchel`
  })
  return (
    <h1 ref={title} tabIndex={-1} className={hidden ? 'hidden-text' : undefined}>
      {children}
    </h1>
  )
}

/** Goes back by press, by Escape and by Alt+Left, so that every screen that can be left is left in the same way. */
export function BackButton({ onBack }: { onBack: () => void }) {
  const latest = useRef(onBack)
  latest.current = onBack
  useEffect(() => {
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
  }, [])
  return (
    <IconButton label={words('commonBack')} onClick={onBack}>
      <ArrowLeft size={20} aria-hidden />
    </IconButton>
  )
}

/** Gives the focus to an element when its screen appears. */
export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
