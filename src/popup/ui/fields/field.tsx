/**
 * Fields that a person fills in: text, passwords, switches, choices, amounts of a token. Each has a label and says in
 * words what is wrong with it. They check nothing themselves: what is an error is the form's to say.
 */

import { type ComponentProps, type ReactNode, type Ref, useId } from 'react'

type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'ref' | 'type' | 'id'> & {
  label: string
  note?: ReactNode
  error?: string | null
  ref?: Ref<HTMLInputElement>
}

/** One line of ordinary text. */
export function TextField(props: FieldProps) {
  return <Field {...props} type="text" />
}

/**
 * A password. It is not controlled by React, which would copy it into the `value` attribute;
 * password inputs are left out of session restore by both browsers.
 */
export function PasswordField(props: FieldProps) {
  return <Field {...props} type="password" />
}

type SelectProps<T extends string> = {
  label: string
  note?: ReactNode
  value: T
  options: readonly { value: T; name: string }[]
  onChoose: (value: T) => void
}

/** One of several that need no explanation each. */
export function SelectField<T extends string>(props: SelectProps<T>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        className="input"
        value={props.value}
        aria-describedby={props.note ? `${id}-note` : undefined}
        onChange={event => {
          const chosen = props.options.find(({ value }) => value === event.currentTarget.value)
          if (chosen) props.onChoose(chosen.value)
        }}
      >
        {props.options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <FieldNote id={`${id}-note`} note={props.note} />
    </div>
  )
}

function Field({ label, note, error, ref, ...rest }: FieldProps & { type: 'text' | 'password' }) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        {...(ref === undefined ? {} : { ref })}
        id={id}
        className="input"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || note ? noteId : undefined}
      />
      <FieldNote id={noteId} note={note} error={error} />
    </div>
  )
}

/** The line under a field: what is wrong, else what helps. */
export function FieldNote(props: {
  id: string
  note?: ReactNode
  error?: string | null | undefined
}) {
  if (!props.error && !props.note) return null
  return (
    <div
      id={props.id}
      className={`field-note${props.error ? ' bad' : ''}`}
      role={props.error ? 'alert' : undefined}
      aria-live={props.error ? undefined : 'polite'}
    >
      {props.error ?? props.note}
    </div>
  )
}
