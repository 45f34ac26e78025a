import { Eye, EyeOff, KeyRound, Plus, TextCursorInput } from 'lucide-react'
import { useRef, useState } from 'react'
import type { MnemonicCheck, WalletOrigin } from '../../../background/views/account-views.ts'
import { type ChosenKey, KeyEntry } from '../../forms/secrets/key-entry.tsx'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import { useSecret } from '../../state/use-secret.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { SecretText } from '../../ui/fields/secret-text.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { spellVisible } from '../../ui/text/visible-parts.ts'
import { PasswordStep } from './password-step.tsx'

type ImportProps = { onBack: () => void; onDone: () => Promise<void> }
type EntryProps = {
  onBack: () => void
  onOrigin: (origin: WalletOrigin) => void
  /** Goes to the other kind of import. */
  onOther: () => void
}

/** A wallet from its recovery words, or from one private key. */
export function Import({ onBack, onDone }: ImportProps) {
  const [kind, setKind] = useState<WalletOrigin['kind']>('mnemonic')
  const [origin, holdOrigin] = useSecret<WalletOrigin>()
  if (origin === null) {
    return kind === 'mnemonic' ? (
      <Phrase onBack={onBack} onOrigin={holdOrigin} onOther={() => setKind('wif')} />
    ) : (
      <Key onBack={onBack} onOrigin={holdOrigin} onOther={() => setKind('mnemonic')} />
    )
  }
  return (
    <PasswordStep
      action={words('importWallet')}
      origin={origin}
      onBack={() => holdOrigin(null)}
      // The next screen searches for addresses of these words that were used before.
      onDone={async () =>
        origin.kind === 'wif' ? onDone() : navigate('/accounts/restore', { replace: true })
      }
    />
  )
}

function Phrase({ onBack, onOrigin, onOther }: EntryProps) {
  const mnemonic = useRef('')
  const passphrase = useRef('')
  const [count, setCount] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const [masked, setMasked] = useState(false)
  const [withPassphrase, setWithPassphrase] = useState(false)
  const task = useTask()

  const submit = () =>
    task.run(async () => {
      const check = await call('checkMnemonic', { mnemonic: mnemonic.current })
      if (!check.valid) return setError(explain(check))
      onOrigin({
        kind: 'mnemonic',
        mnemonic: mnemonic.current,
        passphrase: passphrase.current,
      })
      mnemonic.current = ''
      passphrase.current = ''
    })

  return (
    <FormScreen
      title={words('importTitle')}
      fieldFirst
      onBack={onBack}
      onSubmit={submit}
      busy={task.busy}
      failure={task.failure}
    >
      <SecretText
        label={words('wordsLabel')}
        many
        first
        masked={masked}
        placeholder={words('importPlaceholder')}
        note={count === 0 ? words('importLengths') : countWords('importCount', count)}
        error={error}
        onText={text => {
          mnemonic.current = text
          setCount(text.split(/\s+/).filter(word => word !== '').length)
          setError(null)
        }}
      />
      <div className={layoutStyles.rowButtons}>
        <Button variant="quiet" onClick={() => setMasked(!masked)}>
          {masked ? <Eye size={16} aria-hidden /> : <EyeOff size={16} aria-hidden />}
          {masked ? words('wordsShow') : words('wordsHide')}
        </Button>
        {withPassphrase ? null : (
          <Button variant="quiet" onClick={() => setWithPassphrase(true)}>
            <Plus size={16} aria-hidden />
            {words('importAddPassphrase')}
          </Button>
        )}
        <Button variant="quiet" onClick={onOther}>
          <KeyRound size={16} aria-hidden />
          {words('importUseKey')}
        </Button>
      </div>
      {withPassphrase ? (
        <SecretText
          label={words('passphraseLabel')}
          first
          masked={masked}
          note={words('importPassphraseNote')}
          onText={text => {
            passphrase.current = text
          }}
        />
      ) : null}
    </FormScreen>
  )
}

function Key({ onBack, onOrigin, onOther }: EntryProps) {
  const [key, holdKey] = useSecret<ChosenKey>()
  const task = useTask()
  const submit = () => {
    if (key === null) return
    void task.run(async () => {
      // A wallet of one key begins on a network of that key.
      await call('selectNetwork', { network: key.network })
      onOrigin({ kind: 'wif', wif: key.wif, addressType: key.addressType })
    })
  }
  return (
    <FormScreen
      title={words('importKeyTitle')}
      lead={words('importKeyLead')}
      fieldFirst
      onBack={onBack}
      onSubmit={submit}
      busy={task.busy}
      disabled={key === null}
      failure={task.failure}
    >
      <KeyEntry networks={['mainnet', 'testnet4']} onKey={holdKey} />
      <div className={layoutStyles.rowButtons}>
        <Button variant="quiet" onClick={onOther}>
          <TextCursorInput size={16} aria-hidden />
          {words('importUseWords')}
        </Button>
      </div>
    </FormScreen>
  )
}

function explain(check: MnemonicCheck & { valid: false }): string {
  if (check.problem === 'WORD_COUNT') return countWords('importWordCount', check.wordCount)
  if (check.problem === 'CHECKSUM') return words('importChecksum')
  const unknown = check.unknownWords.map(word => `“${spellVisible(word).slice(0, 30)}”`)
  return countWords('importUnknown', unknown.length, { words: unknown.slice(0, 3).join(', ') })
}
