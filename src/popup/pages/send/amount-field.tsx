import { useId, useState } from 'react'
import type { RecipientForm } from '../../forms/send-form.ts'
import { parseAmount, type Unit } from '../../forms/typed-amount.ts'
import type { SendFacts } from '../../forms/use-send-facts.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import amountInputStyles from '../../ui/fields/amount-input.module.css'
import fieldStyles from '../../ui/fields/field.module.css'
import { FieldNote } from '../../ui/fields/field.tsx'
import { formatFiat, nameBtc, nameSats } from '../../ui/text/btc-digits.ts'

export type AmountFieldProps = {
  label: string
  recipient: RecipientForm
  unit: Unit
  errors: { amount: string | null }
  /** Whether the person has tried to go on, so that empty fields are errors. */
  tried: boolean
  facts: SendFacts
  /** About how many sats this recipient can get; null while not known. */
  largest: bigint | null
  onChange: (recipient: RecipientForm) => void
  onMax: (max: boolean) => void
  onUnit: (unit: Unit) => void
}

/** An amount in BTC or sats, what it is in the other unit and in money, and a button for all there is. */
export function AmountField(props: AmountFieldProps) {
  const { recipient, unit, errors, tried, facts, largest, onChange } = props
  const [left, setLeft] = useState(false)
  const id = useId()
  const other = unit === 'btc' ? 'sats' : 'btc'
  const names = { btc: 'BTC', sats: 'sats' }
  const isTooMuch = parseAmount(recipient.amount, unit) !== null
  const error = tried || ((left || isTooMuch) && recipient.amount !== '') ? errors.amount : null
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{props.label}</label>
      <div className={classNames(amountInputStyles.box, error && amountInputStyles.bad)}>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          readOnly={recipient.max}
          value={recipient.max ? words('sendMaxValue') : recipient.amount}
          placeholder={unit === 'btc' ? '0.00' : '0'}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={event => onChange({ ...recipient, amount: event.currentTarget.value })}
          onBlur={() => setLeft(true)}
        />
        <button
          type="button"
          className={amountInputStyles.chip}
          aria-pressed={recipient.max}
          onClick={() => props.onMax(!recipient.max)}
        >
          {words('sendMax')}
        </button>
        <button
          type="button"
          className={classNames(amountInputStyles.chip, amountInputStyles.unit)}
          aria-label={words('sendUnit', { unit: names[unit], other: names[other] })}
          onClick={() => props.onUnit(other)}
        >
          {names[unit]}
        </button>
      </div>
      <FieldNote id={`${id}-note`} error={error} note={describe()} />
    </div>
  )

  function describe(): string | null {
    const sats = recipient.max ? largest : parseAmount(recipient.amount, unit)
    if (recipient.max && (sats === null || sats <= 0n)) return words('sendMaxNote')
    if (sats === null) return null
    const inUnit = { btc: nameBtc(sats), sats: nameSats(sats) }
    const parts = [
      recipient.max ? words('sendMaxAbout', { amount: inUnit[unit] }) : inUnit[other],
      ...(facts.price ? [formatFiat(sats, facts.price)] : []),
    ]
    return joinFacts(parts)
  }
}
