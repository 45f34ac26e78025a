import type { PageProps } from '../../app.tsx'
import { goBack } from '../../route.ts'
import { call } from '../../rpc.ts'
import { FormScreen } from '../../ui/form-screen.tsx'
import { showToast } from '../../ui/toast.tsx'
import { usePasswordTries } from '../../use-password-tries.ts'
import { words } from '../../words.ts'
import { NewPassword, useNewPassword } from '../new-password.tsx'
import { TriedPassword } from '../tried-password.tsx'

/** The old password, and a new one twice. */
export function ChangePassword(_: PageProps) {
  const tries = usePasswordTries()
  const entry = useNewPassword()
  const submit = () => {
    if (tries.field.current?.value === '') return void tries.attempt(async () => ({}))
    const next = entry.read()
    if (next === null) return
    void tries.attempt(async current => {
      const result = await call('changePassword', { current, next })
      if (result.accepted) {
        goBack()
        showToast(words('changeDone'))
      }
      return result
    })
  }
  return (
    <FormScreen
      title={words('changeTitle')}
      lead={words('changeLead')}
      fieldFirst
      action={
        tries.busy
          ? words('passwordEncrypting')
          : tries.seconds > 0
            ? words('passwordWait', { seconds: tries.seconds })
            : words('changeTitle')
      }
      onBack={goBack}
      onSubmit={submit}
      busy={tries.busy}
      disabled={tries.seconds > 0}
    >
      <div className="stack">
        <TriedPassword tries={tries} label={words('changeCurrent')} />
        <NewPassword label={words('changeNew')} entry={entry} />
      </div>
    </FormScreen>
  )
}
