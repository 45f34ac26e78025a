import { useRef } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import dialogStyles from '../../ui/dialog.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { ADDRESS_TYPE_NAMES } from '../../ui/text/account-kinds.ts'
import { sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import { chooseName } from './account-pairs.ts'

type JoinDialogProps = {
  account: AccountView
  /** The account that has the Taproot address. */
  taproot: AccountView
  onClose: () => void
  onChanged: () => Promise<void>
}

/** Asks whether the account of a Taproot address becomes part of this one, and under which name; leads there where it first needs something. */
export function JoinDialog({ account, taproot, onClose, onChanged }: JoinDialogProps) {
  const name = useRef<HTMLInputElement>(null)
  const task = useTask()
  const isSameSource = taproot.source === account.source
  if (!isSameSource || taproot.descriptor !== null) {
    const text = isSameSource ? 'accountJoinMany' : 'accountJoinOther'
    return (
      <ConfirmDialog
        title={words('accountOrdinalsTakenTitle')}
        action={words('accountOrdinalsTakenOpen')}
        busy={false}
        failure={null}
        onConfirm={() => navigate(`/accounts/of/${taproot.id}`)}
        onClose={onClose}
      >
        <p>{words(text, { name: sayName(taproot.name) })}</p>
      </ConfirmDialog>
    )
  }
  const join = () => {
    const typed = name.current?.value.trim() ?? ''
    void task.run(async () => {
      const ids = { accountId: account.id, ordinalsId: taproot.id }
      await call('joinAccounts', { ...ids, name: typed })
      await onChanged()
      onClose()
      showToast(words('accountJoined'))
    })
  }
  const type = account.addressType ? ADDRESS_TYPE_NAMES[account.addressType] : ''
  return (
    <Dialog title={words('accountJoinTitle')} onClose={onClose}>
      <form
        className={layoutStyles.stack}
        autoComplete="off"
        onSubmit={event => {
          event.preventDefault()
          join()
        }}
      >
        <p>{words('accountJoinText', { name: sayName(taproot.name), type })}</p>
        <p className={textStyles.note}>{words('accountJoinKept')}</p>
        <TextField
          ref={name}
          label={words('accountName')}
          defaultValue={chooseName(account, taproot)}
          placeholder={words('addNamePlaceholder')}
          maxLength={40}
          error={task.failure}
          onInput={task.forget}
        />
        <div className={dialogStyles.answers}>
          <Button variant="secondary" onClick={onClose}>
            {words('commonCancel')}
          </Button>
          <Button variant="primary" type="submit" busy={task.busy}>
            {words('accountJoinDo')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
