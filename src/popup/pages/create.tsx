import { useState } from 'react'
import { call } from '../rpc.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceGroup } from '../ui/choice.tsx'
import { Notice } from '../ui/notice.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'
import { useSecret } from '../use-secret.ts'
import { ConfirmWords } from './confirm-words.tsx'
import { PasswordStep } from './password-step.tsx'
import { ShowWords } from './show-words.tsx'

type CreateProps = { onBack: () => void; onDone: () => Promise<void> }
type Step = 'length' | 'words' | 'confirm' | 'password'

/** A new wallet: how many words, write them down, prove it, choose a password. */
export function Create({ onBack, onDone }: CreateProps) {
  const [step, setStep] = useState<Step>('length')
  const [words, holdWords] = useSecret<string[]>()

  if (step === 'length' || words === null) {
    return (
      <Length
        onBack={onBack}
        onWords={fresh => {
          holdWords(fresh)
          setStep('words')
        }}
      />
    )
  }
  if (step === 'words') {
    return (
      <ShowWords words={words} onBack={() => setStep('length')} onNext={() => setStep('confirm')} />
    )
  }
  if (step === 'confirm') {
    return (
      <ConfirmWords
        words={words}
        onBack={() => setStep('words')}
        onNext={() => setStep('password')}
      />
    )
  }
  return (
    <PasswordStep
      action="Create wallet"
      onBack={() => setStep('confirm')}
      onPassword={async password => {
        await call('createVault', { mnemonic: words.join(' '), passphrase: '', password })
        holdWords(null)
        await onDone()
      }}
    />
  )
}

const LENGTHS = [
  { value: '12', name: '12 words', note: 'Enough for everybody, and quicker to write down' },
  { value: '24', name: '24 words', note: 'Twice as long, for those who want it' },
] as const

function Length(props: { onBack: () => void; onWords: (words: string[]) => void }) {
  const [length, setLength] = useState<'12' | '24'>('12')
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    setBusy(true)
    setFailure(null)
    try {
      props.onWords((await call('generateMnemonic', { words: length === '12' ? 12 : 24 })).words)
    } catch (problem) {
      setFailure(problem instanceof Error ? problem.message : String(problem))
      setBusy(false)
    }
  }

  return (
    <Screen
      head={<BackButton onBack={props.onBack} />}
      onSubmit={submit}
      foot={
        <Button look="primary" type="submit" busy={busy}>
          Continue
        </Button>
      }
    >
      <Title>Your wallet is a list of words</Title>
      <p className="muted">
        Whoever has these recovery words has the bitcoin. Have paper and a pen at hand; they are not
        stored anywhere else.
      </p>
      <ChoiceGroup label="Number of words" value={length} options={LENGTHS} onChoose={setLength} />
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </Screen>
  )
}
