import { type ReactNode, useId } from 'react'
import rowStyles from '../row.module.css'
import styles from './switch.module.css'

type SwitchProps = {
  label: string
  note?: ReactNode
  on: boolean
  disabled?: boolean
  /** It is being changed: it keeps the focus, tells so, and takes no further press. */
  busy?: boolean
  onChange: (on: boolean) => void
}

/** Something that is on or off and takes effect at once. */
export function Switch(props: SwitchProps) {
  const { label, note, on, disabled = false, busy = false, onChange } = props
  const id = useId()
  return (
    <label className={styles.switch}>
      <span className={rowStyles.text}>
        <span className={rowStyles.title}>{label}</span>
        {note ? (
          <span className={rowStyles.note} id={id}>
            {note}
          </span>
        ) : null}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-busy={busy}
        aria-disabled={busy || undefined}
        aria-label={label}
        aria-describedby={note ? id : undefined}
        onChange={event => {
          if (!busy) onChange(event.currentTarget.checked)
        }}
      />
    </label>
  )
}
