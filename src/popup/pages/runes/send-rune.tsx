import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { PaymentPlanView } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { FeeField } from '../../forms/fee-field.tsx'
import { DEFAULT_FEE, type FeeForm, parseFeeRateText } from '../../forms/fee-form.ts'
import formStyles from '../../forms/form.module.css'
import { PlanSteps } from '../../forms/plan-steps.tsx'
import { RecipientField } from '../../forms/recipient-field.tsx'
import { cleanLabel, LONGEST_LABEL } from '../../forms/send-form.ts'
import { useFirstError } from '../../forms/use-first-error.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { WatchedOnly } from '../../forms/watched-only.tsx'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { TokenAmountField } from '../../ui/fields/token-amount-field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { checkOrders, cleanAmount, leftFor, MOST_ORDERS, type TypedOrder } from './rune-orders.ts'
import { useRune } from './use-runes.ts'

/** What the person has typed, as typed. */
type RuneForm = FeeForm & { orders: TypedOrder[]; label: string }

const EMPTY: RuneForm = { ...DEFAULT_FEE, orders: [{ id: 0, amount: '', to: '' }], label: '' }

/** Sends a rune, which the path names, to one receiver or several. */
export function SendRune({ state }: PageProps) {
  const [, , name = '', , picture] = useRoute()
  const [form, setForm] = useState(EMPTY)
  const account = state.accounts.find(account => account.id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (account.source === 'watch')
    return <WatchedOnly name={account.name} title={words('homeSend')} />
  return (
    // A plan is of the account that it was worked out for.
    <PlanSteps key={`${account.id} ${state.network}`} account={account} network={state.network}>
      {onPlan => (
        <Form
          name={name}
          form={form}
          state={state}
          showPicture={picture !== undefined}
          onChange={setForm}
          onPlan={onPlan}
        />
      )}
    </PlanSteps>
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
  const rune = useRune(state, name)
  const facts = useSendFacts(state)
  const planning = useTask()
  const { content, attempt, isTried } = useFirstError()
  const latest = useRef(form)
  latest.current = form
  const held = rune.answer?.held ?? null
  const errors = checkOrders(form.orders, held, state.network)
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
    const isWrong = errors.some(({ amount, to }) => amount !== null || to !== null)
    if (isWrong || rate === null) return attempt()
    void planning.run(async () => {
      const plan = await call('planRuneTransfer', {
        orders: form.orders.map(({ amount, to }) => ({
          rune: name,
          amount: cleanAmount(amount),
          to: to.trim(),
        })),
        feeRate: rate,
        label: cleanLabel(form.label),
      })
      if (latest.current === form) onPlan(plan)
    })
  }
  const isSingle = form.orders.length === 1
  return (
    <FormScreen
      title={words('transferTitle', { what: name })}
      lead={words('runeSendLead')}
      action={words(planning.busy ? 'sendPlanning' : 'sendReview')}
      busy={planning.busy}
      above={
        planning.failure ? (
          <Notice tone="danger" live>
            {planning.failure}
          </Notice>
        ) : null
      }
      onBack={goBack}
      onSubmit={submit}
    >
      <div ref={content} className={formStyles.operation}>
        {rune.problem ? (
          <RetryNotice
            tone="caution"
            title={words('brc20BalanceUnknown')}
            problem={rune.problem}
            busy={rune.busy}
            onRetry={rune.retry}
          />
        ) : null}
        {form.orders.map((order, at) => {
          const place = isSingle ? null : at + 1
          const error = errors[at] ?? { amount: null, to: null }
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
              <TokenAmountField
                label={
                  place === null
                    ? words('brc20Amount')
                    : words('sendAmountNumber', { number: place })
                }
                tick={held?.symbol ?? ''}
                value={order.amount}
                error={isTried || order.amount !== '' ? error.amount : null}
                note={
                  held === null || at > 0
                    ? null
                    : words('atomicalsSendable', { amount: formatRuneAmount(held.sendable) })
                }
                most={held === null ? null : leftFor(form.orders, order.id, held)}
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
            onClick={() =>
              change({
                orders: [
                  ...latest.current.orders,
                  {
                    id: Math.max(...latest.current.orders.map(({ id }) => id)) + 1,
                    amount: '',
                    to: '',
                  },
                ],
              })
            }
          >
            <Plus size={18} aria-hidden />
            {words('sendAddRecipient')}
          </Button>
        ) : null}
        <FeeField
          form={form}
          facts={facts}
          tried={isTried}
          fee={null}
          note={words('splitFeeNote')}
          onChange={change}
        />
        <TextField
          label={words('sendLabel')}
          note={words('sendLabelNote')}
          value={form.label}
          maxLength={LONGEST_LABEL}
          onChange={event => change({ label: event.currentTarget.value })}
        />
      </div>
    </FormScreen>
  )
}
