import { useState } from 'react'
import { goBack, navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { currentLanguage, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isTypedWord } from '../../ui/text/typed-word.ts'

/** Erases the wallet from this computer; also the way on after a forgotten password. */
export function Reset({ state, onChanged }: PageProps) {
  const [typed, setTyped] = useState('')
  const task = useTask()
  const word = words('resetWord')
  const ready = isTypedWord(typed, word, currentLanguage())
  const submit = () => {
    if (!ready) return
    void task.run(async () => {
      await call('resetWallet', { confirmation: 'erase' })
      navigate('/', { replace: true })
      await onChanged()
    })
  }
  return (
    <FormScreen
      title={words('resetTitle')}
      lead={words(state.vault === 'unlocked' ? 'resetLead' : 'resetForgotten')}
      action={words('resetAction')}
      onBack={goBack}
      onSubmit={submit}
      busy={task.busy}
      disabled={!ready}
      failure={task.failure}
    >
      <Notice tone="danger" title={words('resetWarning')}>
        <p>{words(state.hasPhrase === false ? 'resetNeedsKey' : 'resetNeedsWords')}</p>
        <p>{words('resetKeys')}</p>
      </Notice>
      <TextField
        label={words('resetType', { word })}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
    </FormScreen>
  )
}
