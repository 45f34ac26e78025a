import { useId } from 'react'
import { classNames } from '../class-names.ts'
import textStyles from '../styles/text.module.css'
import fieldStyles from './field.module.css'
import styles from './paste-field.module.css'

type PasteFieldProps = {
  label: string
  rows: number
  value: string
  placeholder?: string
  onChange: (text: string) => void
}

/** A place for text that machines wrote: a PSBT, a key, a descriptor. */
export function PasteField({ label, rows, value, placeholder, onChange }: PasteFieldProps) {
  const id = useId()
  return (
    <div className={styles.paste}>
      <label htmlFor={id} className={textStyles.note}>
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        className={classNames(fieldStyles.input, styles.text)}
        onChange={event => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
