import { useRef, useState } from 'react'
import type { PaymentPlanView } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { DEFAULT_FEE, parseFeeRateText } from '../../forms/fee-form.ts'
import { RecipientField } from '../../forms/recipient-field.tsx'
import { parseAddressText } from '../../forms/send-form.ts'
import { type TransferForm, TransferScreen, TransferSteps } from '../../forms/transfer-form.tsx'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { TokenAmountField } from '../../ui/fields/token-amount-field.tsx'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { cleanLabel } from '../../ui/text/label.ts'
import { nameToken } from './atomical-words.ts'
import { explainRefusal, formatUnits, LEAST_UNITS, parseUnits } from './units.ts'
import { useArc20Token } from './use-atomicals.ts'

/** What the person has typed, as typed. */
type TokenForm = TransferForm & { amount: string; to: string }

const EMPTY: TokenForm = { ...DEFAULT_FEE, amount: '', to: '', label: '' }

/** Sends units of an ARC-20 token, which the path names, to one address. */
export function SendToken({ state }: PageProps) {
  const [, , id = '', , picture] = useRoute()
  const [form, setForm] = useState(EMPTY)
  const account = state.accounts.find(one => one.id === state.accountId)
  if (account?.source === 'multisig')
    return <CannotSign account={account} title={words('homeSend')} />
  return (
    <TransferSteps state={state}>
      {onPlan => (
        <Form
          {...{ id, form, state, onPlan }}
          showPicture={picture !== undefined}
          onChange={setForm}
        />
      )}
    </TransferSteps>
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
  const errors = useAttempt(form, facts.rates)
  const { attempt, isTried } = errors
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
    <TransferScreen
      what={tick === '' ? words('atomicalsUnitsShort') : tick}
      lead={words('atomicalsUnits', { least: formatUnits(LEAST_UNITS) })}
      balance={held}
      onChange={change}
      onSubmit={submit}
      {...{ form, facts, planning, errors }}
    >
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
    </TransferScreen>
  )
}
