import type { WalletOrigin } from '../../../background/views/account-views.ts'
import { NewPassword, useNewPassword } from '../../forms/secrets/new-password.tsx'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { FormScreen } from '../../ui/form-screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'

type PasswordStepProps = {
  action: string
  origin: WalletOrigin
  /** The words were just made. */
  isNew?: boolean
  onBack: () => void
  /** After the wallet was sealed. */
  onDone: () => Promise<void>
}

/** The last step of creating and importing: a password, under which the wallet is sealed. */
export function PasswordStep({ action, origin, isNew = false, onBack, onDone }: PasswordStepProps) {
  const entry = useNewPassword()
  const task = useTask()
  const submit = () =>
    void task.run(async () => {
      const password = await entry.read()
      if (password === null) return
      await call('createVault', { origin, password, isNew })
      await onDone()
    })
  return (
    <FormScreen
      title={words('passwordChoose')}
      lead={words('passwordWhatFor')}
      fieldFirst
      action={task.busy ? words('passwordEncrypting') : action}
      onBack={onBack}
      onSubmit={submit}
      busy={task.busy}
      failure={task.failure}
    >
      <div className={layoutStyles.stack}>
        <NewPassword label={words('passwordLabel')} entry={entry} first ofVault />
      </div>
    </FormScreen>
  )
}
