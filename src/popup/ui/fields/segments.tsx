import { type ReactNode, useId } from 'react'
import styles from './segments.module.css'

type SegmentsProps<T extends string> = {
  /** Read out and not shown. */
  label: string
  value: T
  options: readonly { value: T; name: ReactNode }[]
  onChoose: (value: T) => void
  disabled?: boolean
}

/** One of few, side by side; arrow keys move, as in any group of radios. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChoose,
  disabled = false,
}: SegmentsProps<T>) {
  const name = useId()
  return (
    <div className={styles.segments} role="radiogroup" aria-label={label}>
      {options.map(option => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            disabled={disabled}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.name}</span>
        </label>
      ))}
    </div>
  )
}
