import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FeeRatesView } from '../../background/views/payment-views.ts'
import type { QueryState } from '../state/query.ts'

/**
 * What a press of a form's last button does where the form cannot go on. Errors are shown everywhere, and the first one has
 * the focus. Where there is none, the fee rates are still being read: the press is done once they are there, unless the
 * person writes on, which makes `form` another.
 */
export function useAttempt(
  form: unknown,
  rates: QueryState<FeeRatesView>,
): {
  content: RefObject<HTMLDivElement | null>
  attempt: () => void
  isTried: boolean
  /** Whether a press waits for the rates. */
  isWaiting: boolean
} {
  const content = useRef<HTMLDivElement>(null)
  const [tries, setTries] = useState(0)
  const [pressed, setPressed] = useState<{ form: unknown } | null>(null)
  const isRead = rates.answer !== null || rates.problem !== null
  const isPressed = pressed !== null && pressed.form === form
  // Written back to what it was, it is another form all the same.
  if (pressed && !isPressed) setPressed(null)
  const state = useRef({ form, isRead, isPressed })
  state.current = { form, isRead, isPressed }
  useEffect(() => {
    if (tries === 0) return
    const field = content.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
    if (!field && !state.current.isRead) setPressed({ form: state.current.form })
  }, [tries])
  useEffect(() => {
    if (!isRead || !state.current.isPressed) return
    setPressed(null)
    // By now the button is no longer busy, so that this does what a press of it does.
    content.current?.closest('form')?.requestSubmit()
  }, [isRead])
  return {
    content,
    attempt: () => setTries(before => before + 1),
    isTried: tries > 0,
    isWaiting: isPressed && !isRead,
  }
}
