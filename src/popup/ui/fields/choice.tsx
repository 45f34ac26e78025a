import { type ReactNode, useId } from 'react'
import textStyles from '../styles/text.module.css'
import styles from './choice.module.css'

type ChoiceProps<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; name: string; note?: ReactNode }[]
  onChoose: (value: T) => void
}

/** Radios, one of which is chosen; the group is named by `label`, which is not shown. */
export function ChoiceGroup<T extends string>(props: ChoiceProps<T>) {
  const name = useId()
  return (
    <div className={styles.choices} role="radiogroup" aria-label={props.label}>
      {props.options.map(option => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === props.value}
            onChange={() => props.onChoose(option.value)}
            aria-label={option.name}
            aria-describedby={option.note ? `${name}-${option.value}` : undefined}
          />
          <span className={styles.text}>
            <span className={styles.name}>{option.name}</span>
            {option.note ? (
              <span className={textStyles.note} id={`${name}-${option.value}`}>
                {option.note}
              </span>
            ) : null}
          </span>
        </label>
      ))}
    </div>
  )
}

/** A box to tick, its label beside it. */
export function Check(props: {
  checked: boolean
  onCheck: (checked: boolean) => void
  children: ReactNode
  testId?: string
}) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={props.checked}
        onChange={event => props.onCheck(event.currentTarget.checked)}
        data-testid={props.testId}
        autoComplete="off"
      />
      <span>{props.children}</span>
    </label>
  )
}
