import { useRef, useState } from 'react'
import { cleanPayee } from '../../forms/send-form.ts'
import { HelpButton } from '../../help/help-button.tsx'
import { goBack } from '../../platform/route.ts'
import { call, RpcError } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { explainError } from '../../state/explain-error.ts'
import type { PageProps } from '../../state/page-props.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { useFirstFocus } from '../../ui/screen.tsx'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import { useNewAccount } from './use-new-account.ts'

/** An address that is only looked at. */
export function WatchAddress({ state, onChanged }: PageProps) {
  const address = useFirstFocus<HTMLInputElement>()
  const name = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)
  const [nameError, setNameError] = useState<string | null>(null)
  const { add, busy, failure } = useNewAccount(onChanged)
  const submit = () => {
    const typed = readAddress(address.current?.value ?? '')
    void add(async () => {
      try {
        return await call('watchAddress', {
          address: typed,
          name: name.current?.value.trim() ?? '',
        })
      } catch (problem) {
        if (problem instanceof RpcError && problem.code === -32602) {
          if (problem.data?.problem === 'NAME') setNameError(explainError(problem))
          else setError(words('watchNotAddress', { network: NETWORK_NAMES[state.network] }))
        }
        throw problem
      }
    })
  }
  return (
    <FormScreen
      title={words('watchTitle')}
      lead={
        <>
          {words('watchLead')} <HelpButton term="watch-only" />
        </>
      }
      fieldFirst
      action={words('addAction')}
      onBack={goBack}
      onSubmit={submit}
      busy={busy}
      failure={error === null && nameError === null ? failure : null}
    >
      <TextField
        ref={address}
        label={words('watchAddress')}
        error={error}
        onInput={() => setError(null)}
      />
      <TextField
        ref={name}
        label={words('addName')}
        maxLength={40}
        placeholder={words('addNamePlaceholder')}
        error={nameError}
        onInput={() => setNameError(null)}
      />
    </FormScreen>
  )
}

/** The address of a `bitcoin:` link, or what was typed. */
function readAddress(text: string): string {
  return cleanPayee(text).replace(/^bitcoin:([^?]*).*$/is, '$1')
}
