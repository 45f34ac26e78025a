import { type ReactNode, useId } from 'react'
import { WithHelp } from '../help/help-button.tsx'
import { joinFacts } from '../platform/join-facts.ts'
import { words } from '../platform/words.ts'
import fieldStyles from '../ui/fields/field.module.css'
import { FieldNote, TextField } from '../ui/fields/field.tsx'
import textStyles from '../ui/styles/text.module.css'
import { formatFeeRate, formatFiat, nameSats } from '../ui/text/btc-digits.ts'
import styles from './fee-choice.module.css'
import { explainCustomRate, type FeeForm, parseFeeRateText } from './fee-form.ts'
import type { SendFacts } from './use-send-facts.ts'

type FeeFieldProps = {
  form: FeeForm
  facts: Pick<SendFacts, 'rates' | 'feeChoices' | 'price'>
  /** Whether the person has tried to go on, so that a missing rate is an error. */
  tried: boolean
  /** About what it costs in sats; null while not known. */
  fee: bigint | null
  /** Shown below where the cost is not known yet. */
  note?: ReactNode
  onChange: (change: Partial<FeeForm>) => void
}

/** The fee of a form: one of the server's rates, or one of the person's own. */
export function FeeField({ form, facts, tried, fee, note, onChange }: FeeFieldProps) {
  const { rates, feeChoices, price } = facts
  return (
    <FeeChoiceField
      choices={feeChoices}
      value={form.fee}
      custom={form.customRate}
      error={tried ? explainCustomRate(form) : null}
      rate={parseFeeRateText(form, rates.answer)}
      minimum={rates.answer?.minimum ?? null}
      fee={fee}
      price={price}
      problem={rates.problem}
      note={note}
      onChoose={fee => onChange({ fee })}
      onCustom={customRate => onChange({ customRate })}
    />
  )
}

type FeeChoiceProps<T extends string> = {
  /** Named rates in sat/vB with how long they take; null while a rate is not known. */
  choices: readonly { value: T; name: string; time: string; rate: number | null }[]
  value: T | 'custom'
  custom: string
  error: string | null
  /** The rate in use, sat/vB; null for none. */
  rate: number | null
  /** What nodes relay at all, sat/vB. */
  minimum: number | null
  /** About what it costs in sats; null while not known. */
  fee: bigint | null
  price: { currency: string; perBitcoin: number } | null
  /** Why no rates are known. */
  problem: string | null
  /** Shown below where the cost is not known yet. */
  note?: ReactNode
  onChoose: (value: T | 'custom') => void
  onCustom: (text: string) => void
}

/** How much is paid for being in a block sooner: named rates side by side, or one of the person's own. */
export function FeeChoiceField<T extends string>(props: FeeChoiceProps<T>) {
  const { choices, value, rate, fee, price, minimum, problem } = props
  const name = useId()
  const options = [
    ...choices,
    { value: 'custom' as const, name: words('sendCustom'), time: '', rate: null },
  ]
  const low = rate !== null && minimum !== null && rate < minimum
  return (
    <fieldset className={styles.choice} aria-labelledby={`${name}-label`}>
      <WithHelp term="fee-rate">
        <span id={`${name}-label`} className={styles.label}>
          {words('sendFee')} <span className={textStyles.muted}>{words('sendFeeUnit')}</span>
        </span>
      </WithHelp>
      <div className={styles.options}>
        {options.map(option => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.value !== 'custom' && option.rate === null}
              data-wrong={
                option.value === 'custom' && value !== 'custom' && problem ? true : undefined
              }
              onChange={() => props.onChoose(option.value)}
            />
            <span className={styles.option}>
              <span className={styles.name}>{option.name}</span>
              <span className={styles.rate}>
                {option.value === 'custom'
                  ? props.custom || '…'
                  : option.rate === null
                    ? '–'
                    : formatFeeRate(option.rate)}
              </span>
              <span className={styles.time}>{option.time}</span>
            </span>
          </label>
        ))}
      </div>
      {value === 'custom' ? (
        <TextField
          label={words('sendCustomRate')}
          inputMode="decimal"
          value={props.custom}
          error={props.error}
          onChange={event => props.onCustom(event.currentTarget.value)}
        />
      ) : null}
      {problem && value !== 'custom' ? (
        <FieldNote id={`${name}-problem`} error={words('sendNoRates')} />
      ) : (
        <p className={fieldStyles.note} aria-live="polite">
          {low ? `${words('warningLowFeeNote', { minimum: formatFeeRate(minimum) })} ` : null}
          {fee === null || rate === null
            ? (props.note ?? null)
            : words('sendFeeAbout', {
                fee: joinFacts([nameSats(fee), ...(price ? [formatFiat(fee, price)] : [])]),
              })}
        </p>
      )}
    </fieldset>
  )
}
