import type { WalletState } from '../../../background/ui-methods/ui-methods.ts'
import { words } from '../../app/words.ts'
import type { PaymentText } from '../../forms/payment-text.ts'
import { RecipientField } from '../../forms/recipient-field.tsx'
import type { RecipientForm } from '../../forms/send-form.ts'
import type { Unit } from '../../forms/typed-amount.ts'
import type { SendFacts } from '../../forms/use-send-facts.ts'
import { AmountField } from './amount-field.tsx'
import styles from './send.module.css'

export type RecipientFieldsProps = {
  recipient: RecipientForm
  /** Number among several; null for the only one. */
  place: number | null
  unit: Unit
  errors: { to: string | null; amount: string | null }
  /** Whether the person has tried to go on, so that empty fields are errors. */
  tried: boolean
  state: WalletState
  facts: SendFacts
  /** About how many sats this recipient can get; null while not known. */
  largest: bigint | null
  showPicture: boolean
  onChange: (recipient: RecipientForm) => void
  onFill: (text: PaymentText) => void
  onMax: (max: boolean) => void
  onUnit: (unit: Unit) => void
  onRemove: () => void
}

/** Whom to pay, and how much. */
export function RecipientFields(props: RecipientFieldsProps) {
  const { recipient, place, errors, tried, state, facts, onChange } = props
  return (
    <section
      className={styles.payee}
      aria-label={
        place === null ? words('sendRecipient') : words('sendRecipientNumber', { number: place })
      }
    >
      <RecipientField
        to={recipient.to}
        place={place}
        error={errors.to}
        tried={tried}
        state={state}
        known={facts.known}
        showPicture={props.showPicture}
        picturePath="/send/picture"
        onWrite={to => onChange({ ...recipient, to })}
        onFill={props.onFill}
        onRemove={props.onRemove}
      />
      <AmountField
        {...props}
        label={place === null ? words('sendAmount') : words('sendAmountNumber', { number: place })}
      />
    </section>
  )
}
