import { useEffect, useRef, useState } from 'react'
import { words } from '../platform/words.ts'
import { PasswordField } from '../ui/fields/field.tsx'
import { type PasswordStrength, ratePassword } from '../ui/fields/password-strength.ts'

/** A new password, typed twice. */
export function useNewPassword() {
  const password = useRef<HTMLInputElement>(null)
  const repeat = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<'short' | 'differs' | null>(null)
  return {
    password,
    repeat,
    problem,
    forgetProblem: () => setProblem(null),
    /** The password, or null after saying beside the field why it cannot be taken. */
    read(): string | null {
      const chosen = password.current?.value ?? ''
      const short = ratePassword(chosen).level === 0
      if (!short && chosen === repeat.current?.value) return chosen
      setProblem(short ? 'short' : 'differs')
      const wrong = short ? password : repeat
      wrong.current?.focus()
      return null
    },
  }
}

type NewPasswordProps = {
  label: string
  entry: ReturnType<typeof useNewPassword>
  /** Takes the focus when it appears. */
  first?: boolean
}

export function NewPassword({ label, entry, first = false }: NewPasswordProps) {
  const [strength, setStrength] = useState<PasswordStrength>(ratePassword(''))
  const { password } = entry
  useEffect(() => {
    if (first) password.current?.focus()
  }, [first, password])
  return (
    <>
      <PasswordField
        ref={password}
        label={label}
        note={<Strength strength={strength} />}
        error={
          entry.problem === 'short' ? words('passwordTooShort', { missing: strength.hint }) : null
        }
        onInput={event => {
          setStrength(ratePassword(event.currentTarget.value))
          entry.forgetProblem()
        }}
      />
      <PasswordField
        ref={entry.repeat}
        label={words('passwordRepeat')}
        error={entry.problem === 'differs' ? words('passwordDiffers') : null}
        onInput={entry.forgetProblem}
      />
    </>
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
