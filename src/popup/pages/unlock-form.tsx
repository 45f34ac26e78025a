import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { UnlockResult } from '../../background/ui-methods/ui-methods.ts'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { useCountdown } from '../use-countdown.ts'

type UnlockFormProps = {
  children: ReactNode
  /** Another way out beside the Unlock button. */
  beside?: ReactNode
  head?: ReactNode
  delayMs: number
  /** Tries a password; when it was right, the screen goes away. */
  onPassword: (password: string) => Promise<UnlockResult>
}

/** Asks for the password until it is right; used by the unlock screen and by the approval that waits for it. */
export function UnlockForm({ children, beside, head, delayMs, onPassword }: UnlockFormProps) {
  const password = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [damaged, setDamaged] = useState(false)
  const [seconds, wait] = useCountdown(delayMs)
  // A disabled field loses the focus: it comes back when another try is allowed.
  useEffect(() => {
    if (seconds === 0 && !busy) password.current?.focus()
  }, [seconds, busy])

  const submit = async () => {
    if (seconds > 0 || busy) return
    const typed = password.current?.value ?? ''
    if (typed === '') return setError('Type your password.')
    setBusy(true)
    setError(null)
    try {
      const result = await onPassword(typed)
      if (password.current) password.current.value = ''
      if (result.unlocked) return
      setDamaged(result.reason === 'DAMAGED')
      if (result.reason === 'WRONG_PASSWORD') setError('That is not the password.')
      wait(result.retryAfterMs)
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem))
    }
    setBusy(false)
  }

  return (
    <Screen
      onSubmit={submit}
      head={head}
      foot={
        <div className={beside ? 'answers' : 'stack'}>
          {beside}
          <Button
            look="primary"
            type="submit"
            busy={busy}
            disabled={seconds > 0}
            data-testid={beside ? 'approve' : undefined}
          >
            {busy ? 'Unlocking…' : seconds > 0 ? `Wait ${seconds} s` : 'Unlock'}
          </Button>
        </div>
      }
    >
      {children}
      <PasswordField
        ref={password}
        label="Password"
        disabled={busy || seconds > 0}
        error={seconds > 0 ? `${error ?? 'Too many tries.'} You can try again soon.` : error}
        onInput={() => setError(null)}
      />
      {damaged ? (
        <Notice tone="danger" title="The stored wallet is damaged" live>
          It cannot be opened on this computer any more. Your bitcoin is safe on the chain: add
          Satchel anew and import your recovery words.
        </Notice>
      ) : null}
      <details className="more">
        <summary>Forgot the password?</summary>
        <p className="muted small">
          Nobody can look it up or reset it. Remove Satchel from the browser, add it again and
          import your recovery words: they hold everything.
        </p>
      </details>
    </Screen>
  )
}
