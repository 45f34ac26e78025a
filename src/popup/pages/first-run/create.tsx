import { useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { words as say } from '../../platform/words.ts'
import { useSecret } from '../../state/use-secret.ts'
import { useTask } from '../../state/use-task.ts'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { ConfirmWords } from './confirm-words.tsx'
import { PasswordStep } from './password-step.tsx'
import { ShowWords } from './show-words.tsx'

type CreateProps = { onBack: () => void; onDone: () => Promise<void> }
type Step = 'words' | 'confirm' | 'password'

/** A new wallet: how many words, write them down, prove it, choose a password. */
export function Create({ onBack, onDone }: CreateProps) {
  const [step, setStep] = useState<Step>('words')
  const [words, holdWords] = useSecret<string[]>()

  if (words === null) return <Length onBack={onBack} onWords={holdWords} />
  if (step === 'words') {
    return (
      <ShowWords words={words} onBack={() => holdWords(null)} onNext={() => setStep('confirm')} />
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
      action={say('createWallet')}
      origin={{ kind: 'mnemonic', mnemonic: words.join(' '), passphrase: '' }}
      onBack={() => setStep('confirm')}
      onDone={onDone}
    />
  )
}

function Length(props: { onBack: () => void; onWords: (words: string[]) => void }) {
  const [length, setLength] = useState<'12' | '24'>('12')
  const task = useTask()
  const submit = () =>
    task.run(async () => {
      props.onWords((await call('generateMnemonic', { words: length === '12' ? 12 : 24 })).words)
    })
  return (
    <FormScreen
      title={say('createTitle')}
      lead={say('createLead')}
      onBack={props.onBack}
      onSubmit={submit}
      busy={task.busy}
      failure={task.failure}
    >
      <ChoiceGroup
        label={say('createLength')}
        value={length}
        options={[
          { value: '12', name: say('createTwelve'), note: say('createTwelveNote') },
          { value: '24', name: say('createTwentyFour'), note: say('createTwentyFourNote') },
        ]}
        onChoose={setLength}
      />
    </FormScreen>
  )
}
