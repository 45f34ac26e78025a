import { Plus } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { PayingAccountView } from '../../../background/views/account-views.ts'
import type { PaymentDraft } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { Available } from '../../forms/available.tsx'
import { estimateFee } from '../../forms/estimate-fee.ts'
import { FeeField } from '../../forms/fee-field.tsx'
import formStyles from '../../forms/form.module.css'
import type { PaymentText } from '../../forms/payment-text.ts'
import {
  emptyForm,
  emptyRecipient,
  parseForm,
  type RecipientForm,
  type SendForm,
  sumAmounts,
} from '../../forms/send-form.ts'
import { convertAmount } from '../../forms/typed-amount.ts'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { MoreFields } from './more-fields.tsx'
import { RecipientFields } from './recipient-fields.tsx'

type PaymentFormProps = {
  form: SendForm
  onChange: (form: SendForm) => void
  state: WalletState
  account: PayingAccountView
  /** Why the last try to work the payment out failed, in words. */
  problem: string | null
  /** Whether the dialog for a picture is open at first. */
  showPicture: boolean
  busy: boolean
  onBack: () => void
  onReview: (draft: PaymentDraft) => void
}

/** Who gets how much, and at which fee. */
export function PaymentForm(props: PaymentFormProps) {
  const { form, onChange, state, account } = props
  const facts = useSendFacts(state)
  const rates = facts.rates.answer
  const available = facts.sumAvailable(form.coins)
  const { draft, errors } = parseForm(form, {
    network: state.network,
    rates,
    available,
    spendable: facts.spendable,
    hasKey: account.source === 'seed' || account.source === 'key',
  })
  const fee = estimateFee(form, {
    account,
    network: state.network,
    coins: facts.coins.answer,
    rates,
  })
  // A picture takes a moment to read: what was typed meanwhile stays.
  const latest = useRef(form)
  latest.current = form
  const { content, attempt, isTried, isWaiting } = useAttempt(form, facts.rates)
  const busy = props.busy || isWaiting
  useNewRecipient(content, form.recipients.length)
  const setRecipient = (index: number, recipient: RecipientForm) =>
    onChange({ ...form, recipients: form.recipients.with(index, recipient) })
  const submit = () => {
    if (draft) props.onReview(draft)
    else attempt()
  }
  const clear = () => {
    onChange(emptyForm())
    // The button that had the focus goes.
    content.current?.querySelector('textarea')?.focus()
  }
  const isEmpty = JSON.stringify(form) === JSON.stringify(emptyForm())
  return (
    <Screen
      onSubmit={submit}
      head={
        <>
          <BackButton onBack={props.onBack} />
          {isEmpty ? null : (
            <span className={layoutStyles.push}>
              <Button variant="quiet" onClick={clear}>
                {words('sendClear')}
              </Button>
            </span>
          )}
        </>
      }
      foot={
        <>
          {props.problem ? (
            <Notice tone="danger" live>
              {props.problem}
            </Notice>
          ) : null}
          <Button variant="primary" type="submit" busy={busy}>
            {words(busy ? 'sendPlanning' : 'sendReview')}
          </Button>
        </>
      }
    >
      <div ref={content} className={formStyles.form}>
        <div className={layoutStyles.stack}>
          <Title>{words('sendTitle')}</Title>
          <Available facts={facts} chosen={form.coins} />
        </div>
        {form.recipients.map((recipient, index) => (
          <RecipientFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a recipient is its place
            key={index}
            recipient={recipient}
            place={form.recipients.length > 1 ? index + 1 : null}
            unit={form.unit}
            errors={errors.recipients[index] ?? { to: null, amount: null }}
            tried={isTried}
            state={state}
            facts={facts}
            largest={
              available === null || fee === null ? null : available - fee - othersOf(form, index)
            }
            showPicture={props.showPicture && index === 0}
            onChange={next => setRecipient(index, next)}
            onFill={text => onChange(fillRecipient(latest.current, index, text))}
            onMax={max =>
              onChange({
                ...form,
                // All that is left can go to one recipient only.
                recipients: form.recipients.map((other, at) => ({
                  ...other,
                  max: at === index && max,
                })),
              })
            }
            onUnit={unit =>
              onChange({
                ...form,
                unit,
                recipients: form.recipients.map(other => ({
                  ...other,
                  amount: convertAmount(other.amount, form.unit, unit),
                })),
              })
            }
            onRemove={() => onChange({ ...form, recipients: form.recipients.toSpliced(index, 1) })}
          />
        ))}
        <Button
          variant="quiet"
          start
          onClick={() => onChange({ ...form, recipients: [...form.recipients, emptyRecipient()] })}
        >
          <Plus size={16} aria-hidden />
          {words('sendAddRecipient')}
        </Button>
        <FeeField
          form={form}
          facts={facts}
          tried={isTried}
          fee={fee}
          onChange={change => onChange({ ...form, ...change })}
        />
        <MoreFields form={form} onChange={onChange} facts={facts} errors={errors} />
      </div>
    </Screen>
  )
}

/** Takes over what a link says and leaves the rest as it was. */
function fillRecipient(
  form: SendForm,
  index: number,
  { to, amountBtc, label }: PaymentText,
): SendForm {
  const amount = convertAmount(amountBtc, 'btc', form.unit)
  return {
    ...form,
    label: form.label || label,
    recipients: form.recipients.map((recipient, at) =>
      at === index
        ? { ...recipient, to, ...(amount === '' ? {} : { amount, max: false }) }
        : recipient,
    ),
  }
}

/** Sats that the other recipients get. */
function othersOf(form: SendForm, index: number): bigint {
  return sumAmounts({ ...form, recipients: form.recipients.toSpliced(index, 1) })
}

/** Who was just added is written next; where somebody was removed, the last one has the focus. */
function useNewRecipient(content: RefObject<HTMLDivElement | null>, count: number): void {
  const before = useRef(count)
  useEffect(() => {
    if (before.current === count) return
    before.current = count
    const fields = content.current?.querySelectorAll('textarea')
    fields?.[fields.length - 1]?.focus()
  }, [content, count])
}
