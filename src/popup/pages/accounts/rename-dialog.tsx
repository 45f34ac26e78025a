import { useRef } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'

export type AccountDialogProps = {
  account: AccountView
  onClose: () => void
  onChanged: () => Promise<void>
}

export function RenameDialog({ account, onClose, onChanged }: AccountDialogProps) {
  const name = useRef<HTMLInputElement>(null)
  const task = useTask()
  const save = () => {
    const typed = name.current?.value.trim() ?? ''
    if (typed === '') return name.current?.focus()
    void task.run(async () => {
      await call('renameAccount', { accountId: account.id, name: typed })
      await onChanged()
      onClose()
    })
  }
  return (
    <Dialog title={words('accountRename')} onClose={onClose}>
      <form
        className={layoutStyles.stack}
        autoComplete="off"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          ref={name}
          label={words('accountName')}
          defaultValue={account.name}
          maxLength={40}
          error={task.failure}
          onInput={task.forget}
        />
        <Button variant="primary" type="submit" busy={task.busy}>
          {words('commonSave')}
        </Button>
      </form>
    </Dialog>
  )
}
