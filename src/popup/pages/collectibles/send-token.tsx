import { useRef, useState } from 'react'
import type { PaymentPlanView } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { TokenAmountField } from '../../ui/fields/token-amount-field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import '../brc20/brc20.css'
import { FeeField } from '../../forms/fee-field.tsx'
import { DEFAULT_FEE, type FeeForm, parseFeeRateText } from '../../forms/fee-form.ts'
import { PlanSteps } from '../../forms/plan-steps.tsx'
import { RecipientField } from '../../forms/recipient-field.tsx'
import { cleanLabel, LONGEST_LABEL, parseAddressText } from '../../forms/send-form.ts'
import { useFirstError } from '../../forms/use-first-error.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { WatchedOnly } from '../../forms/watched-only.tsx'
import { nameToken } from './atomical-words.ts'
import { explainRefusal, formatUnits, LEAST_UNITS, parseUnits } from './units.ts'
import { useArc20Token } from './use-atomicals.ts'

/** What the person has typed, as typed. */
type TokenForm = FeeForm & { amount: string; to: string; label: string }

const EMPTY: TokenForm = { ...DEFAULT_FEE, amount: '', to: '', label: '' }

/** Sends units of an ARC-20 token, which the path names, to one address. */
export function SendToken({ state }: PageProps) {
  const [, , id = '', , picture] = useRoute()
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
          id={id}
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
  id: string
  form: TokenForm
  state: WalletState
  showPicture: boolean
  onChange: (form: TokenForm) => void
  onPlan: (plan: PaymentPlanView) => void
}

function Form({ id, form, state, showPicture, onChange, onPlan }: FormProps) {
  const held = useArc20Token(state, id)
  const facts = useSendFacts(state)
  const planning = useTask()
  const { content, attempt, isTried } = useFirstError()
  /** Why the background would not send just this amount. */
  const [refusal, setRefusal] = useState<string | null>(null)
  const latest = useRef(form)
  latest.current = form
  const token = held.answer?.token ?? null
  const tick = token === null ? '' : nameToken(token)
  const amount = parseUnits(form.amount, token === null ? null : BigInt(token.sendable))
  const address = parseAddressText(form.to, state.network)
  const rate = parseFeeRateText(form, facts.rates.answer)
  const change = (next: Partial<TokenForm>) => {
    planning.forget()
    setRefusal(null)
    onChange({ ...latest.current, ...next })
  }
  const submit = () => {
    if ('error' in amount || 'error' in address || rate === null) return attempt()
    void planning.run(async () => {
      try {
        const plan = await call('planTokenTransfer', {
          id,
          amount: String(amount.units),
          to: form.to.trim(),
          feeRate: rate,
          label: cleanLabel(form.label),
        })
        if (latest.current === form) onPlan(plan)
      } catch (error) {
        const refused = explainRefusal(error)
        if (refused === null) throw error
        if (latest.current !== form) return
        setRefusal(refused)
        attempt()
      }
    })
  }
  const amountError =
    isTried || form.amount !== '' ? ('error' in amount ? amount.error : null) : null
  return (
    <FormScreen
      title={words('transferTitle', {
        what: tick === '' ? words('atomicalsUnitsShort') : tick,
      })}
      lead={words('atomicalsUnits', { least: formatUnits(LEAST_UNITS) })}
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
      <div ref={content} className="operation-form">
        {held.problem ? (
          <RetryNotice
            tone="caution"
            title={words('brc20BalanceUnknown')}
            problem={held.problem}
            busy={held.busy}
            onRetry={held.retry}
          />
        ) : null}
        <TokenAmountField
          label={words('brc20Amount')}
          tick={tick}
          value={form.amount}
          error={refusal ?? amountError}
          note={
            token === null
              ? null
              : words('atomicalsSendable', { amount: formatRuneAmount(token.sendable) })
          }
          most={token?.sendable ?? null}
          onChange={amount => change({ amount })}
        />
        <RecipientField
          to={form.to}
          place={null}
          error={'error' in address ? address.error : null}
          tried={isTried}
          state={state}
          known={facts.known}
          showPicture={showPicture}
          picturePath={`/atomicals/token/${id}/send/picture`}
          onWrite={to => change({ to })}
          onFill={({ to, label }) => change({ to, label: latest.current.label || label })}
          onRemove={() => {}}
        />
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
