import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { countWords, words as say } from '../../platform/words.ts'
import { useSecret } from '../../state/use-secret.ts'
import { useTask } from '../../state/use-task.ts'
import { loadable } from '../../ui/loadable.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ConfirmWords } from './confirm-words.tsx'
import { PasswordStep } from './password-step.tsx'
import { ShowWords } from './show-words.tsx'

const OwnThrows = loadable(async () => (await import('./own-throws.tsx')).OwnThrows, 'soon')

type CreateProps = { onBack: () => void; onDone: () => Promise<void> }
type Step = 'words' | 'confirm' | 'proven'
type Length = 12 | 24

/** A new wallet: write its words down, prove it, choose a password. */
export function Create({ onBack, onDone }: CreateProps) {
  return (
    <NewWords onBack={onBack}>
      {(words, back) => (
        <PasswordStep
          action={say('createWallet')}
          origin={{ kind: 'mnemonic', mnemonic: words.join(' '), passphrase: '' }}
          isNew
          onBack={back}
          onDone={onDone}
        />
      )}
    </NewWords>
  )
}

type NewWordsProps = {
  onBack: () => void
  /** What follows once the words are proven to be written down; from there, back leads to the proof. */
  children: (words: string[], onBack: () => void) => ReactNode
}

/** New words, 12 unless 24 are wanted, of the browser's randomness or of the person's own throws: write them down, prove it, and then what is made of them. */
export function NewWords({ onBack, children }: NewWordsProps) {
  const [step, setStep] = useState<Step>('words')
  const [length, setLength] = useState<Length>(12)
  const [throws, setThrows] = useState<'none' | 'asked' | 'made'>('none')
  const [words, holdWords] = useSecret<string[]>()
  const [seen, setSeen] = useState(false)
  if (throws === 'asked') {
    return (
      <OwnThrows
        length={length}
        onBack={() => setThrows('none')}
        onWords={thrown => {
          holdWords(thrown)
          setThrows('made')
        }}
      />
    )
  }
  if (words === null) {
    return <MakeWords key={length} length={length} onBack={onBack} onWords={holdWords} />
  }
  if (step === 'words') {
    return (
      <ShowWords
        words={words}
        onBack={onBack}
        onNext={() => setStep('confirm')}
        onSeen={() => setSeen(true)}
        others={
          throws === 'made' || seen
            ? null
            : {
                onThrows: () => setThrows('asked'),
                onLength: next => {
                  setLength(next)
                  holdWords(null)
                },
              }
        }
      />
    )
  }
  if (step === 'confirm') {
    return (
      <ConfirmWords
        words={words}
        onBack={() => setStep('words')}
        onNext={() => setStep('proven')}
      />
    )
  }
  return children(words, () => setStep('confirm'))
}

type MakeWordsProps = { length: Length; onBack: () => void; onWords: (words: string[]) => void }

/** The screen of the words before they are there. */
function MakeWords({ length, onBack, onWords }: MakeWordsProps) {
  const { run, busy, failure } = useTask()
  const make = () =>
    void run(async () => onWords((await call('generateMnemonic', { words: length })).words))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each screen
  useEffect(make, [])
  return (
    <Screen head={<BackButton onBack={onBack} />}>
      <Title>{countWords('wordsWriteDown', length)}</Title>
      {failure === null ? (
        <SkeletonRows count={4} />
      ) : (
        <RetryNotice tone="danger" problem={failure} busy={busy} onRetry={make} />
      )}
    </Screen>
  )
}
