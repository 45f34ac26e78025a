import { ArrowLeft } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="screen" onSubmit={submit} autoComplete="off" noValidate>
      {parts}
    </form>
  )
}

/** The h1 of a screen. It takes the focus when it appears, unless a field of the screen does. */
export function Title({ children, focus = true }: { children: ReactNode; focus?: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focus) title.current?.focus({ preventScroll: true })
  }, [focus])
  return (
    <h1 ref={title} tabIndex={-1}>
      {children}
    </h1>
  )
}

export function BackButton({ onBack }: { onBack: () => void }) {
  return (
    <IconButton label="Back" onClick={onBack}>
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
