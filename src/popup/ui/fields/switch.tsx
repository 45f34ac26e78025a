import { type ReactNode, useId } from 'react'

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
    <label className="switch">
      <span className="row-text">
        <span className="row-title">{label}</span>
        {note ? (
          <span className="row-note" id={id}>
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
