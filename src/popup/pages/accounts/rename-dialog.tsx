import { useRef } from 'react'
import type { GivenName } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'

type RenameDialogProps = {
  title: string
  label: string
  /** What it is called now. */
  name: GivenName
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

/** Another name for an account or a wallet; without one it is called by its number. */
export function RenameDialog({ title, label, name, onSave, onClose }: RenameDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const task = useTask()
  const save = () => {
    const typed = field.current?.value.trim() ?? ''
    void task.run(async () => {
      await onSave(typed)
      onClose()
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={layoutStyles.stack}
        autoComplete="off"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          ref={field}
          label={label}
          defaultValue={typeof name === 'string' ? name : ''}
          placeholder={words('addNamePlaceholder')}
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
