import type { WalletState } from '../../../background/views/ui-methods.ts'
import type { PaymentText } from '../../forms/payment-text.ts'
import { RecipientField } from '../../forms/recipient-field.tsx'
import { parsePayeeText } from '../../forms/send-form.ts'
import { words } from '../../platform/words.ts'
import { AmountField, type AmountFieldProps } from './amount-field.tsx'
import styles from './send.module.css'

type RecipientFieldsProps = Omit<AmountFieldProps, 'label'> & {
  /** Number among several; null for the only one. */
  place: number | null
  errors: { to: string | null; amount: string | null }
  state: WalletState
  showPicture: boolean
  onFill: (text: PaymentText) => void
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
        parse={parsePayeeText}
        showPicture={props.showPicture}
        picturePath="/send/picture"
        takesNames
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
