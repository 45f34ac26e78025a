import { useEffect, useRef, useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { cleanLabel, LONGEST_LABEL } from '../../ui/text/label.ts'
import { showToast } from '../../ui/toast.tsx'
import styles from './activity.module.css'

/** The person's own note on a transaction. */
export function LabelForm({ txid, label }: { txid: string; label: string }) {
  /** Null where nothing is written that is not saved. */
  const [written, setWritten] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const task = useTask()
  useEffect(
    () => setWritten(before => (before !== null && cleanLabel(before) === label ? null : before)),
    [label],
  )
  const text = written ?? label
  const save = async () => {
    if (await task.run(() => call('setLabel', { txid, label: cleanLabel(text) }))) {
      // The button goes, and with it the focus.
      field.current?.focus()
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
        ref={field}
        label={words('transactionNote')}
        placeholder={words('transactionNotePlaceholder')}
        value={text}
        maxLength={LONGEST_LABEL}
        error={task.failure}
        onChange={event => {
          setWritten(event.currentTarget.value)
          task.forget()
        }}
      />
      {cleanLabel(text) === label ? null : (
        <Button variant="secondary" type="submit" busy={task.busy}>
          {words('commonSave')}
        </Button>
      )}
    </form>
  )
}
