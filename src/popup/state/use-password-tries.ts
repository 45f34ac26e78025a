import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PasswordResult } from '../../background/views/account-views.ts'
import { joinSentences } from '../platform/join-words.ts'
import { words } from '../platform/words.ts'
import { explainError, isLocked } from './explain-error.ts'

type Refusal = PasswordResult<object> & { accepted: false }

export type PasswordTries = {
  field: RefObject<HTMLInputElement | null>
  busy: boolean
  /** Until another try is allowed; 0 when at once. */
  seconds: number
  error: string | null
  /** The stored wallet cannot be opened by any password. */
  damaged: boolean
  forgetError(): void
  /** Tries what the field holds; stays busy when it was right, as the screen then goes away. */
  attempt(check: (password: string) => Promise<object | Omit<Refusal, 'accepted'>>): Promise<void>
}

/**
 * A password that is asked for until it is right, with growing pauses between the tries. Its field has the focus, where another
 * way in stands first only once a password was tried.
 */
export function usePasswordTries(delayMs = 0, isSecondWay = false): PasswordTries {
  const field = useRef<HTMLInputElement>(null)
  const takesFocus = useRef(!isSecondWay)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [damaged, setDamaged] = useState(false)
  const [seconds, wait] = useCountdown(delayMs)
  // A disabled field loses the focus: it comes back when another try is allowed.
  useEffect(() => {
    if (seconds === 0 && !busy && takesFocus.current) field.current?.focus()
  }, [seconds, busy])

  return {
    field,
    busy,
    seconds,
    error:
      seconds > 0
        ? joinSentences([error ?? words('passwordTooMany'), words('passwordSoon')])
        : error,
    damaged,
    forgetError: () => setError(null),
    async attempt(check) {
      if (seconds > 0 || busy) return
      const typed = field.current?.value ?? ''
      if (typed === '') return setError(words('passwordMissing'))
      takesFocus.current = true
      setBusy(true)
      setError(null)
      try {
        const result = await check(typed)
        if (field.current) field.current.value = ''
        if (!('reason' in result)) return
        setDamaged(result.reason === 'DAMAGED')
        if (result.reason === 'WRONG_PASSWORD') setError(words('passwordWrong'))
        wait(result.retryAfterMs)
      } catch (problem) {
        // Locked meanwhile, and perhaps left alone: whoever comes next would only have to press.
        if (isLocked(problem) && field.current) field.current.value = ''
        setError(explainError(problem))
      }
      setBusy(false)
    },
  }
}

/** Whole seconds left of a wait, and a way to start another one. */
function useCountdown(firstMs: number): [number, (ms: number) => void] {
  const [until, setUntil] = useState(() => performance.now() + firstMs)
  const [seconds, setSeconds] = useState(Math.ceil(firstMs / 1000))
  useEffect(() => {
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - performance.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [until])
  return [seconds, ms => setUntil(performance.now() + ms)]
}
