import { type ReactNode, useId } from 'react'
import rowStyles from '../row.module.css'
import styles from './switch.module.css'

type SwitchProps = {
  label: string
  note?: ReactNode
  on: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
}

/** Something that is on or off and takes effect at once. */
export function Switch({ label, note, on, disabled = false, onChange }: SwitchProps) {
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
        aria-label={label}
        aria-describedby={note ? id : undefined}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}
