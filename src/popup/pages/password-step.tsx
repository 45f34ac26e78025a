import { useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { type PasswordStrength, ratePassword } from '../ui/password-strength.ts'
import { BackButton, Screen, Title, useFirstFocus } from '../ui/screen.tsx'

type PasswordStepProps = {
  action: 'Create wallet' | 'Import wallet'
  onBack: () => void
  /** Seals the wallet; rejects when it cannot. */
  onPassword: (password: string) => Promise<void>
}

/** The last step of creating and importing: a password, twice. */
export function PasswordStep({ action, onBack, onPassword }: PasswordStepProps) {
  const password = useFirstFocus<HTMLInputElement>()
  const repeat = useRef<HTMLInputElement>(null)
  const [strength, setStrength] = useState<PasswordStrength>(ratePassword(''))
  const [error, setError] = useState<'short' | 'differs' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    const chosen = password.current?.value ?? ''
    if (ratePassword(chosen).level === 0) {
      setError('short')
      password.current?.focus()
      return
    }
    if (chosen !== repeat.current?.value) {
      setError('differs')
      repeat.current?.focus()
      return
    }
    setError(null)
    setFailure(null)
    setBusy(true)
    try {
      await onPassword(chosen)
    } catch (problem) {
      setFailure(problem instanceof Error ? problem.message : String(problem))
      setBusy(false)
    }
  }

  return (
    <Screen
      head={<BackButton onBack={onBack} />}
      onSubmit={submit}
      foot={
        <Button look="primary" type="submit" busy={busy}>
          {busy ? 'Encrypting…' : action}
        </Button>
      }
    >
      <Title focus={false}>Choose a password</Title>
      <p className="muted">It encrypts the wallet on this computer. Nobody can reset it for you.</p>
      <div className="stack">
        <PasswordField
          ref={password}
          label="Password"
          note={<Strength strength={strength} />}
          error={error === 'short' ? `Too short: ${strength.hint.toLowerCase()}` : null}
          onInput={event => {
            setStrength(ratePassword(event.currentTarget.value))
            setError(null)
          }}
        />
        <PasswordField
          ref={repeat}
          label="Repeat password"
          error={error === 'differs' ? 'The two passwords differ.' : null}
          onInput={() => setError(null)}
        />
      </div>
      {failure ? (
        <Notice tone="danger" title="The wallet was not saved" live>
          {failure}
        </Notice>
      ) : null}
    </Screen>
  )
}

function Strength({ strength }: { strength: PasswordStrength }) {
  return (
    <span className={`strength level-${strength.level}`}>
      <span className="bars" aria-hidden="true">
        <span />
        <span />
        <span />
        <span />
      </span>
      {strength.hint}
    </span>
  )
}
