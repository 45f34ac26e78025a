import type { ReactNode } from 'react'
import type { PaymentPlanView } from '../../background/views/payment-views.ts'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { goBack } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { canPay } from '../state/can-sign.ts'
import type { useTask } from '../state/use-task.ts'
import { TextField } from '../ui/fields/field.tsx'
import { FormScreen } from '../ui/form-screen.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryNotice } from '../ui/retry-notice.tsx'
import { ScreenSkeleton } from '../ui/skeleton.tsx'
import { LONGEST_LABEL } from '../ui/text/label.ts'
import { CannotSign } from './cannot-sign.tsx'
import { FeeField } from './fee-field.tsx'
import type { FeeForm } from './fee-form.ts'
import formStyles from './form.module.css'
import { PlanSteps } from './plan-steps.tsx'
import type { useAttempt } from './use-attempt.ts'
import type { useSendFacts } from './use-send-facts.ts'

/** What every form that sends tokens has besides what is sent to whom, as typed. */
export type TransferForm = FeeForm & { label: string }

/** The steps of sending tokens of the account in use: a form, whose plan is reviewed and sent. */
export function TransferSteps(props: {
  state: WalletState
  children: (onPlan: (plan: PaymentPlanView) => void) => ReactNode
}) {
  const { accounts, accountId, network } = props.state
  const account = accounts.find(({ id }) => id === accountId)
  if (!account) return <ScreenSkeleton />
  if (!canPay(account)) return <CannotSign account={account} title={words('homeSend')} />
  return (
    // A plan is of the account that it was worked out for.
    <PlanSteps key={`${account.id} ${network}`} account={account} network={network}>
      {props.children}
    </PlanSteps>
  )
}

type TransferScreenProps = {
  /** What is sent, for the title. */
  what: string
  lead: string
  form: TransferForm
  /** What there is of it, as far as the index tells. */
  balance: { problem: string | null; busy: boolean; retry: () => void }
  facts: ReturnType<typeof useSendFacts>
  planning: ReturnType<typeof useTask>
  errors: ReturnType<typeof useAttempt>
  onChange: (next: Partial<TransferForm>) => void
  onSubmit: () => void
  children: ReactNode
  /** Below all fields. */
  after?: ReactNode
}

/** A form that sends tokens: what is sent to whom, and below it the fee and a note. */
export function TransferScreen(props: TransferScreenProps) {
  const { what, lead, form, balance, facts, planning, errors, onChange, onSubmit, children } = props
  const busy = planning.busy || errors.isWaiting
  return (
    <FormScreen
      title={words('transferTitle', { what })}
      lead={lead}
      action={words(busy ? 'sendPlanning' : 'sendReview')}
      busy={busy}
      above={
        planning.failure ? (
          <Notice tone="danger" live>
            {planning.failure}
          </Notice>
        ) : null
      }
      onBack={goBack}
      onSubmit={onSubmit}
    >
      <div ref={errors.content} className={formStyles.operation}>
        {balance.problem ? (
          <RetryNotice
            tone="caution"
            title={words('brc20BalanceUnknown')}
            problem={balance.problem}
            busy={balance.busy}
            onRetry={balance.retry}
          />
        ) : null}
        {children}
        <FeeField
          form={form}
          facts={facts}
          tried={errors.isTried}
          fee={null}
          note={words('splitFeeNote')}
          onChange={onChange}
        />
        <TextField
          label={words('sendLabel')}
          note={words('sendLabelNote')}
          value={form.label}
          maxLength={LONGEST_LABEL}
          onChange={event => onChange({ label: event.currentTarget.value })}
        />
        {props.after}
      </div>
    </FormScreen>
  )
}
