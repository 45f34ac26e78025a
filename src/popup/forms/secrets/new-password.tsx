import { useEffect, useRef, useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { PasswordField } from '../../ui/fields/field.tsx'
import secretsStyles from './secrets.module.css'

/** As the background asks at least; what can be guessed is refused here too. */
const SHORTEST_PASSWORD = 8

type Score = (password: string) => 0 | 1 | 2 | 3 | 4
/** From 0 to 4 bars, with the words for it; one that has a problem is not taken. */
type PasswordStrength = { level: 0 | 1 | 2 | 3 | 4; problem: 'short' | 'weak' | null; hint: string }

const loadScore = async (): Promise<Score> => (await import('./password-strength.ts')).scorePassword

/** What to tell a person about a password that they are choosing; without `score` (it is on its way) only of its length. */
export function ratePassword(password: string, score: Score | null): PasswordStrength {
  const missing = SHORTEST_PASSWORD - [...password].length
  if (missing > 0)
    return { level: 0, problem: 'short', hint: countWords('passwordMissing', missing) }
  if (!score) return { level: 0, problem: null, hint: '' }
  switch (score(password)) {
    case 0:
    case 1:
      return { level: 1, problem: 'weak', hint: words('passwordWeak') }
    case 2:
      return { level: 2, problem: null, hint: words('passwordFair') }
    case 3:
      return { level: 3, problem: null, hint: words('passwordGood') }
    case 4:
      return { level: 4, problem: null, hint: words('passwordStrong') }
  }
}

/** A new password, typed twice. */
export function useNewPassword() {
  const password = useRef<HTMLInputElement>(null)
  const repeat = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<'short' | 'weak' | 'differs' | null>(null)
  return {
    password,
    repeat,
    problem,
    forgetProblem: () => setProblem(null),
    /** The password, or null after saying beside the field why it cannot be taken. */
    async read(): Promise<string | null> {
      // Without its dictionary, the background's own floor is left.
      const score = await loadScore().catch(() => null)
      const chosen = password.current?.value ?? ''
      const refused = ratePassword(chosen, score).problem
      if (!refused && chosen === repeat.current?.value) return chosen
      setProblem(refused ?? 'differs')
      const wrong = refused ? password : repeat
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
  /** The vault's own: its key is derived while it is typed once more. */
  ofVault?: boolean
}

export function NewPassword({ label, entry, first = false, ofVault = false }: NewPasswordProps) {
  const [score, setScore] = useState<{ of: Score } | null>(null)
  const [strength, setStrength] = useState<PasswordStrength>(ratePassword('', null))
  const { password } = entry
  useEffect(() => {
    if (first) password.current?.focus()
  }, [first, password])
  useEffect(() => {
    loadScore().then(
      loaded => {
        setScore({ of: loaded })
        setStrength(ratePassword(password.current?.value ?? '', loaded))
      },
      // Reading the password tries again.
      () => {},
    )
  }, [password])
  return (
    <>
      <PasswordField
        ref={password}
        label={label}
        note={<Strength strength={strength} />}
        error={explainProblem(entry.problem, strength.hint)}
        onInput={event => {
          setStrength(ratePassword(event.currentTarget.value, score?.of ?? null))
          entry.forgetProblem()
        }}
        onBlur={({ currentTarget: { value } }) => {
          if (!ofVault || ratePassword(value, score?.of ?? null).problem) return
          // Setting it does without.
          call('prepareKey', { password: value }).catch(() => {})
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

function explainProblem(
  problem: ReturnType<typeof useNewPassword>['problem'],
  missing: string,
): string | null {
  if (problem === 'short') return words('passwordTooShort', { missing })
  return problem === 'weak' ? words('passwordTooWeak') : null
}

function Strength({ strength }: { strength: PasswordStrength }) {
  return (
    <span className={classNames(secretsStyles.strength, secretsStyles[`level-${strength.level}`])}>
      <span className={secretsStyles.bars} aria-hidden="true">
        <span />
        <span />
        <span />
        <span />
      </span>
      {strength.hint}
    </span>
  )
}
