import { Eye, EyeOff, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { MnemonicCheck } from '../../background/ui-methods/ui-methods.ts'
import { call } from '../rpc.ts'
import { Button } from '../ui/button.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'
import { SecretText } from '../ui/secret-text.tsx'
import { spellVisible } from '../ui/visible-parts.ts'
import { useSecret } from '../use-secret.ts'
import { PasswordStep } from './password-step.tsx'

type ImportProps = { onBack: () => void; onDone: () => Promise<void> }
type Phrase = { mnemonic: string; passphrase: string }

/** A wallet from its recovery words. */
export function Import({ onBack, onDone }: ImportProps) {
  const [phrase, holdPhrase] = useSecret<Phrase>()
  if (phrase === null) return <Words onBack={onBack} onPhrase={holdPhrase} />
  return (
    <PasswordStep
      action="Import wallet"
      onBack={() => holdPhrase(null)}
      onPassword={async password => {
        await call('createVault', { ...phrase, password })
        holdPhrase(null)
        await onDone()
      }}
    />
  )
}

function Words(props: { onBack: () => void; onPhrase: (phrase: Phrase) => void }) {
  const mnemonic = useRef('')
  const passphrase = useRef('')
  const [count, setCount] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const [masked, setMasked] = useState(false)
  const [withPassphrase, setWithPassphrase] = useState(false)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    setBusy(true)
    try {
      const check = await call('checkMnemonic', { mnemonic: mnemonic.current })
      if (check.valid) {
        props.onPhrase({ mnemonic: mnemonic.current, passphrase: passphrase.current })
        mnemonic.current = ''
        passphrase.current = ''
      } else setError(explain(check))
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem))
    }
    setBusy(false)
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
      <Title focus={false}>Import your recovery words</Title>
      <SecretText
        label="Recovery words"
        many
        first
        masked={masked}
        placeholder="Type or paste them, with a space between"
        note={count === 0 ? '12, 15, 18, 21 or 24 English words' : `${count} of 12 to 24 words`}
        error={error}
        onText={text => {
          mnemonic.current = text
          setCount(countWords(text))
          setError(null)
        }}
      />
      <div className="row-buttons">
        <Button look="quiet" onClick={() => setMasked(!masked)}>
          {masked ? <Eye size={16} aria-hidden /> : <EyeOff size={16} aria-hidden />}
          {masked ? 'Show words' : 'Hide words'}
        </Button>
        {withPassphrase ? null : (
          <Button look="quiet" onClick={() => setWithPassphrase(true)}>
            <Plus size={16} aria-hidden />
            Add a passphrase
          </Button>
        )}
      </div>
      {withPassphrase ? (
        <SecretText
          label="Passphrase"
          first
          masked={masked}
          note="Another passphrase opens another, empty wallet: capitals and spaces count."
          onText={text => {
            passphrase.current = text
          }}
        />
      ) : null}
    </Screen>
  )
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(word => word !== '').length
}

function explain(check: MnemonicCheck & { valid: false }): string {
  if (check.problem === 'WORD_COUNT') {
    const words = check.wordCount === 1 ? 'This is 1 word' : `These are ${check.wordCount} words`
    return `${words}; a phrase has 12, 15, 18, 21 or 24.`
  }
  if (check.problem === 'UNKNOWN_WORD') {
    const [first = '', ...others] = check.unknownWords.map(
      word => `“${spellVisible(word).slice(0, 30)}”`,
    )
    if (others.length === 0) return `${first} is not a recovery word. Look for a typing error.`
    return `${[first, ...others].slice(0, 3).join(', ')} are not recovery words. Look for typing errors.`
  }
  return 'Each word exists, but together they do not match: one is wrong, or the order is.'
}
