import { useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './activity.module.css'

/** Longest label that the field takes. */
const LONGEST = 100

/** The person's own note on a transaction. */
export function LabelForm({ txid, label }: { txid: string; label: string }) {
  const [text, setText] = useState(label)
  const task = useTask()
  const save = async () => {
    if (await task.run(() => call('setLabel', { txid, label: text.trim() }))) {
      showToast(words('transactionNoteSaved'))
    }
  }
  return (
    <form
      className={styles.noteForm}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={words('transactionNote')}
        placeholder={words('transactionNotePlaceholder')}
        value={text}
        maxLength={LONGEST}
        error={task.failure}
        onChange={event => {
          setText(event.currentTarget.value)
          task.forget()
        }}
      />
      {text.trim() === label ? null : (
        <Button variant="secondary" type="submit" busy={task.busy}>
          {words('commonSave')}
        </Button>
      )}
    </form>
  )
}
