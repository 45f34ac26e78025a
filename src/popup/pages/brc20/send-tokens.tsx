import { useRef, useState } from 'react'
import type { InscribePlanView } from '../../../background/views/inscribe-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { DEFAULT_FEE, parseFeeRateText } from '../../forms/fee-form.ts'
import { RecipientField } from '../../forms/recipient-field.tsx'
import { ReviewStep } from '../../forms/review-step.tsx'
import { parseAddressText } from '../../forms/send-form.ts'
import { type TransferForm, TransferScreen } from '../../forms/transfer-form.tsx'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { canSign } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { TokenAmountField } from '../../ui/fields/token-amount-field.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { cleanLabel } from '../../ui/text/label.ts'
import { parseTokenAmount } from '../../ui/text/token-amount.ts'
import { spellWord } from '../../ui/text/visible-parts.ts'
import { factsOf, hasBalances, useToken } from './token-facts.ts'

/** What the person has typed, as typed. */
type SendForm = TransferForm & { amount: string; to: string }

const EMPTY: SendForm = { ...DEFAULT_FEE, amount: '', to: '', label: '' }

/** Sends a token, which the path names, to one address: its transfer inscription and the delivery of that, approved together. */
export function SendTokens({ state }: PageProps) {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canSign(account)) return <CannotSign account={account} title={words('homeSend')} />
  return <SendSteps key={`${account.id} ${state.network}`} state={state} />
}

function SendSteps({ state }: { state: WalletState }) {
  const [form, setForm] = useState(EMPTY)
  const [plan, setPlan] = useState<InscribePlanView | null>(null)
  if (plan) return <ReviewStep plan={plan} state={state} onBack={() => setPlan(null)} />
  return <Form form={form} state={state} onChange={setForm} onPlan={setPlan} />
}

type FormProps = {
  form: SendForm
  state: WalletState
  onChange: (form: SendForm) => void
  onPlan: (plan: InscribePlanView) => void
}

function Form({ form, state, onChange, onPlan }: FormProps) {
  const [, , tick = '', picture] = useRoute()
  const token = useToken(state, tick)
  const facts = useSendFacts(state)
  const planning = useTask()
  const errors = useAttempt(form, facts.rates)
  const { attempt, isTried } = errors
  // A plan for a form that changed meanwhile is dropped.
  const latest = useRef(form)
  latest.current = form
  const { answer } = token
  const isKnown = answer === null || hasBalances(answer)
  const available = answer !== null && isKnown ? answer.available : null
  const decimals = factsOf(answer)?.decimals ?? null
  const amount = parseTokenAmount(form.amount, { decimals, most: available })
  const address = parseAddressText(form.to, state.network)
  const rate = parseFeeRateText(form, facts.rates.answer)
  const path = encodeURIComponent(tick)
  const change = (next: Partial<SendForm>) => {
    planning.forget()
    onChange({ ...latest.current, ...next })
  }
  const submit = () => {
    if ('error' in amount || 'error' in address || rate === null) return attempt()
    void planning.run(async () => {
      const plan = await call('planBrc20Send', {
        tick,
        amount: amount.amount,
        to: form.to.trim(),
        feeRate: rate,
        label: cleanLabel(form.label),
      })
      if (latest.current === form) onPlan(plan)
    })
  }
  return (
    <TransferScreen
      what={spellWord(tick)}
      lead={words('brc20SendLead')}
      balance={{
        problem: isKnown ? token.problem : words('brc20BalanceUnknownNote'),
        busy: token.busy,
        retry: token.retry,
      }}
      after={
        <Button variant="quiet" type="button" onClick={() => navigate(`/brc20/transfer/${path}`)}>
          {words('brc20PrepareLater')}
        </Button>
      }
      onChange={change}
      onSubmit={submit}
      {...{ form, facts, planning, errors }}
    >
      <TokenAmountField
        label={words('brc20Amount')}
        tick={tick}
        value={form.amount}
        error={(isTried || form.amount !== '') && 'error' in amount ? amount.error : null}
        note={
          available === null
            ? null
            : words('brc20AvailableNote', { amount: formatRuneAmount(available) })
        }
        most={available}
        onChange={amount => change({ amount })}
      />
      <RecipientField
        to={form.to}
        place={null}
        error={'error' in address ? address.error : null}
        tried={isTried}
        state={state}
        known={facts.known}
        showPicture={picture !== undefined}
        picturePath={`/brc20/send/${path}/picture`}
        onWrite={to => change({ to })}
        onFill={({ to, label }) => change({ to, label: latest.current.label || label })}
        onRemove={() => {}}
      />
    </TransferScreen>
  )
}
