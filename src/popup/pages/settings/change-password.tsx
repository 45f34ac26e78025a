import { NewPassword, useNewPassword } from '../../forms/secrets/new-password.tsx'
import { TriedPassword } from '../../forms/secrets/tried-password.tsx'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { showToast } from '../../ui/toast.tsx'

/** The old password, and a new one twice. */
export function ChangePassword({ state }: PageProps) {
  const tries = usePasswordTries()
  const entry = useNewPassword()
  const submit = async () => {
    if (tries.field.current?.value === '') return tries.attempt(async () => ({}))
    const next = await entry.read()
    if (next === null) return
    await tries.attempt(async current => {
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
      onSubmit={() => void submit()}
      busy={tries.busy}
      disabled={tries.seconds > 0}
    >
      <div className={layoutStyles.stack}>
        <TriedPassword tries={tries} label={words('changeCurrent')} />
        <NewPassword label={words('changeNew')} entry={entry} ofVault />
      </div>
      {state.passkey ? <Notice tone="info">{words('changePasskey')}</Notice> : null}
    </FormScreen>
  )
}
