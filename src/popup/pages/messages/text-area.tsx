import { useId } from 'react'
import { classNames } from '../../ui/class-names.ts'
import fieldStyles from '../../ui/fields/field.module.css'
import styles from './messages.module.css'

type TextAreaProps = {
  label: string
  value: string
  onType: (value: string) => void
  rows: number
  /** A code, of which spelling is nothing to check. */
  code?: boolean
}

/** Several lines, taken as they are. */
export function TextArea({ label, value, onType, rows, code = false }: TextAreaProps) {
  const id = useId()
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={classNames(fieldStyles.input, code ? styles.code : styles.prose)}
        rows={rows}
        value={value}
        autoComplete="off"
        {...(code ? { autoCapitalize: 'none', spellCheck: false } : {})}
        onChange={event => onType(event.currentTarget.value)}
      />
    </div>
  )
}
