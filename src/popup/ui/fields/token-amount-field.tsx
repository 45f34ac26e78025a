import { type ReactNode, useId } from 'react'
import { words } from '../../platform/words.ts'
import { VisibleWord } from '../text/visible-text.tsx'
import { FieldNote } from './field.tsx'
import './amount-input.css'

type TokenAmountFieldProps = {
  label: string
  /** Shown behind the amount. */
  tick: string
  value: string
  error: string | null
  note?: ReactNode
  /** What the button for all of it fills in; null for no such button. */
  most: string | null
  onChange: (value: string) => void
}

/** More characters are written smaller: a token has up to 38 digits. */
const LONG = 12

/** An amount of tokens, with a button for all there is. */
export function TokenAmountField(props: TokenAmountFieldProps) {
  const { label, tick, value, error, note, most, onChange } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={`amount-input${error ? ' bad' : ''}${value.length > LONG ? ' long' : ''}`}>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          data-testid="brc20-amount"
          value={value}
          placeholder="0"
          aria-invalid={error ? true : undefined}
          aria-describedby={error || note ? `${id}-note` : undefined}
          onChange={event => onChange(event.currentTarget.value)}
        />
        {most === null || most === '0' ? null : (
          <button type="button" className="chip" onClick={() => onChange(most)}>
            {words('sendMax')}
          </button>
        )}
        <span className="amount-tick muted">
          <VisibleWord text={tick} />
        </span>
      </div>
      <FieldNote id={`${id}-note`} error={error} note={note} />
    </div>
  )
}
