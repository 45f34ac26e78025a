import { Plus, TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import type { PhraseKind } from '../../../bitcoin/phrases/phrase-kind.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useSecret } from '../../state/use-secret.ts'
import { useTask } from '../../state/use-task.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { ActionRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title, useFirstFocus } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import { NewWords } from './create.tsx'
import { Phrase } from './import.tsx'

type Words = { mnemonic: string; passphrase: string; phraseKind?: PhraseKind }

/** One more wallet beside those that are there, under the same password: of new words, or of words that a person has. */
export function AddWallet({ onChanged }: PageProps) {
  const [kind, setKind] = useState<'create' | 'import' | null>(null)
  const [phrase, holdPhrase] = useSecret<Words>()
  if (kind === null) return <Kinds onChoose={setKind} />
  const leave = () => setKind(null)
  if (kind === 'create') {
    return (
      <NewWords onBack={leave}>
        {(list, back) => (
          <Name
            {...{ kind, onChanged }}
            phrase={{ mnemonic: list.join(' '), passphrase: '' }}
            onBack={back}
          />
        )}
      </NewWords>
    )
  }
  if (phrase !== null) {
    return <Name {...{ kind, phrase, onChanged }} onBack={() => holdPhrase(null)} />
  }
  return (
    <Phrase
      onBack={leave}
      onOrigin={origin => {
        if (origin.kind === 'mnemonic') holdPhrase(origin)
      }}
    />
  )
}

function Kinds({ onChoose }: { onChoose: (kind: 'create' | 'import') => void }) {
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('walletAdd')}</Title>
      <p className={textStyles.muted}>{words('walletAddLead')}</p>
      <Rows label={words('walletAdd')}>
        <ActionRow
          icon={<Plus size={18} aria-hidden />}
          title={words('welcomeCreate')}
          note={words('walletCreateNote')}
          onPress={() => onChoose('create')}
        />
        <ActionRow
          icon={<TextCursorInput size={18} aria-hidden />}
          title={words('welcomeImport')}
          note={words('walletImportNote')}
          onPress={() => onChoose('import')}
        />
      </Rows>
    </Screen>
  )
}

type NameProps = Pick<PageProps, 'onChanged'> & {
  kind: 'create' | 'import'
  phrase: Words
  onBack: () => void
}

/** The last step: what the wallet is called here. */
function Name({ kind, phrase, onBack, onChanged }: NameProps) {
  const [name, setName] = useState('')
  const field = useFirstFocus<HTMLInputElement>()
  const task = useTask()
  const add = () =>
    task.run(async () => {
      const { mnemonic, passphrase, phraseKind = 'bip39' } = phrase
      const added = await call('addPhrase', {
        ...{ mnemonic, passphrase, phraseKind },
        name: name.trim(),
      })
      const [account] = added.accounts
      if (account) await call('selectAccount', { accountId: account.id })
      await onChanged()
      showToast(words('addDone', { name: sayName(added.phrase.name) }))
      // Words that a person has may have been used elsewhere; Electrum has one account of its own.
      const next =
        kind === 'import' && phraseKind === 'bip39' ? `/accounts/restore/${added.phrase.id}` : '/'
      navigate(next, { replace: true })
    })
  return (
    <FormScreen
      title={words('walletNameTitle')}
      lead={words('walletNameLead')}
      fieldFirst
      action={words('walletAdd')}
      onBack={onBack}
      onSubmit={() => void add()}
      busy={task.busy}
      failure={task.failure}
    >
      <TextField
        ref={field}
        label={words('walletName')}
        value={name}
        maxLength={40}
        placeholder={words('addNamePlaceholder')}
        onChange={event => setName(event.currentTarget.value)}
      />
    </FormScreen>
  )
}
