import { useRef } from 'react'
import { type ChosenKey, KeyEntry } from '../../forms/secrets/key-entry.tsx'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useSecret } from '../../state/use-secret.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { useNewAccount } from './use-new-account.ts'

/** An account of a private key from another wallet. */
export function ImportKey({ state, onChanged }: PageProps) {
  const [key, holdKey] = useSecret<ChosenKey>()
  const name = useRef<HTMLInputElement>(null)
  const { add, busy, failure } = useNewAccount(onChanged)
  const submit = () => {
    if (key === null) return
    const { wif, addressType } = key
    void add(() => call('importWif', { wif, addressType, name: name.current?.value.trim() ?? '' }))
  }
  return (
    <FormScreen
      title={words('importKeyTitle')}
      lead={words('keyNotInWords')}
      fieldFirst
      action={words('addAction')}
      onBack={goBack}
      onSubmit={submit}
      busy={busy}
      disabled={key === null}
      failure={failure}
    >
      <KeyEntry networks={[state.network]} onKey={holdKey} />
      <TextField
        ref={name}
        label={words('addName')}
        maxLength={40}
        placeholder={words('addNamePlaceholder')}
      />
    </FormScreen>
  )
}
