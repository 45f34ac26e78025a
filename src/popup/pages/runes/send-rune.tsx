import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { RuneView } from '../../../background/views/asset-views.ts'
import type { PaymentPlanView } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { DEFAULT_FEE, parseFeeRateText } from '../../forms/fee-form.ts'
import { RecipientField } from '../../forms/recipient-field.tsx'
import { type TransferForm, TransferScreen, TransferSteps } from '../../forms/transfer-form.tsx'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/field.tsx'
import { TokenAmountField } from '../../ui/fields/token-amount-field.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { cleanLabel } from '../../ui/text/label.ts'
import { plainNumber } from '../../ui/text/typed-number.ts'
import { checkOrders, findHeld, leftFor, MOST_ORDERS, type TypedOrder } from './rune-orders.ts'
import { useRunes } from './use-runes.ts'

/** What the person has typed, as typed. */
type RuneForm = TransferForm & { orders: TypedOrder[] }

/** Sends a rune, which the path names, and others along with it, to one receiver or several. */
export function SendRune({ state }: PageProps) {
  const [, , name = '', , picture] = useRoute()
  const [form, setForm] = useState<RuneForm>(() => ({
    ...{ ...DEFAULT_FEE, orders: [{ id: 0, rune: name, amount: '', to: '' }], label: '' },
  }))
  return (
    <TransferSteps state={state}>
      {onPlan => (
        <Form
          {...{ name, form, state, onPlan }}
          showPicture={picture !== undefined}
          onChange={setForm}
        />
      )}
    </TransferSteps>
  )
}

type FormProps = {
  name: string
  form: RuneForm
  state: WalletState
  showPicture: boolean
  onChange: (form: RuneForm) => void
  onPlan: (plan: PaymentPlanView) => void
}

function Form({ name, form, state, showPicture, onChange, onPlan }: FormProps) {
  const balance = useRunes(state)
  const facts = useSendFacts(state)
  const planning = useTask()
  const errors = useAttempt(form, facts.rates)
  const { attempt, isTried } = errors
  const latest = useRef(form)
  latest.current = form
  const held = balance.answer?.runes ?? []
  const wrong = checkOrders(form.orders, held, state.network)
  const rate = parseFeeRateText(form, facts.rates.answer)
  const change = (next: Partial<RuneForm>) => {
    planning.forget()
    onChange({ ...latest.current, ...next })
  }
  const changeOrder = (id: number, next: Partial<TypedOrder>) =>
    change({
      orders: latest.current.orders.map(order => (order.id === id ? { ...order, ...next } : order)),
    })
  const submit = () => {
    const isWrong = wrong.some(({ amount, to }) => amount !== null || to !== null)
    if (isWrong || rate === null) return attempt()
    void planning.run(async () => {
      const plan = await call('planRuneTransfer', {
        orders: form.orders.map(({ rune, amount, to }) => ({
          rune,
          amount: plainNumber(amount),
          to: to.trim(),
        })),
        feeRate: rate,
        label: cleanLabel(form.label),
      })
      if (latest.current === form) onPlan(plan)
    })
  }
  const isSingle = form.orders.length === 1
  const runes = listRunes(held, form.orders)
  return (
    <TransferScreen
      what={new Set(form.orders.map(({ rune }) => rune)).size > 1 ? words('runesTitle') : name}
      lead={words('runeSendLead')}
      onChange={change}
      onSubmit={submit}
      {...{ form, balance, facts, planning, errors }}
    >
      {form.orders.map((order, at) => {
        const place = isSingle ? null : at + 1
        const error = wrong[at] ?? { amount: null, to: null }
        const rune = findHeld(held, order.rune)
        const isFirst = form.orders.findIndex(other => other.rune === order.rune) === at
        return (
          <section
            key={order.id}
            className={layoutStyles.stack}
            aria-label={
              place === null
                ? words('sendRecipient')
                : words('sendRecipientNumber', { number: place })
            }
          >
            {runes.length > 1 && !isSingle ? (
              <SelectField
                label={words('runeOfRecipient', { number: at + 1 })}
                value={order.rune}
                options={runes.map(one => ({ value: one, name: one }))}
                onChoose={one => changeOrder(order.id, { rune: one })}
              />
            ) : null}
            <TokenAmountField
              label={
                place === null ? words('brc20Amount') : words('sendAmountNumber', { number: place })
              }
              tick={rune?.symbol ?? ''}
              value={order.amount}
              error={isTried || order.amount !== '' ? error.amount : null}
              note={
                rune === null || !isFirst
                  ? null
                  : words('atomicalsSendable', { amount: formatRuneAmount(rune.sendable) })
              }
              most={leftFor(form.orders, order, held)}
              onChange={amount => changeOrder(order.id, { amount })}
            />
            <RecipientField
              to={order.to}
              place={place}
              error={error.to}
              tried={isTried}
              state={state}
              known={facts.known}
              showPicture={showPicture && at === 0}
              picturePath={`/runes/rune/${encodeURIComponent(name)}/send/picture`}
              onWrite={to => changeOrder(order.id, { to })}
              onFill={({ to, label }) => {
                changeOrder(order.id, { to })
                if (label) change({ label: latest.current.label || label })
              }}
              onRemove={() =>
                change({ orders: latest.current.orders.filter(({ id }) => id !== order.id) })
              }
            />
          </section>
        )
      })}
      {form.orders.length < MOST_ORDERS ? (
        <Button
          variant="quiet"
          type="button"
          onClick={() => change({ orders: addOrder(latest.current.orders, name) })}
        >
          <Plus size={18} aria-hidden />
          {words('sendAddRecipient')}
        </Button>
      ) : null}
    </TransferScreen>
  )
}

/** Those of which something can be sent, by name, and those that are picked already. */
function listRunes(held: readonly RuneView[], orders: readonly TypedOrder[]): string[] {
  const sendable = held.filter(one => one.sendable !== '0').map(one => one.name)
  return [...new Set([...sendable, ...orders.map(({ rune }) => rune)])].sort()
}

function addOrder(orders: readonly TypedOrder[], rune: string): TypedOrder[] {
  const id = Math.max(...orders.map(order => order.id)) + 1
  return [...orders, { id, rune, amount: '', to: '' }]
}
