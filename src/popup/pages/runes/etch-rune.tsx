import { useRef, useState } from 'react'
import type { SigningAccountView } from '../../../background/views/account-views.ts'
import type { InscribePlanView } from '../../../background/views/inscribe-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { ReviewStep } from '../../forms/review-step.tsx'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { canSign } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { EtchFields } from './etch-fields.tsx'
import { EMPTY_ETCH_FORM, type EtchForm, parseEtchForm } from './etch-form.ts'

/** Etches a rune: what it is, and the review; its job goes on from there. */
export function EtchRune({ state }: PageProps) {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canSign(account)) return <CannotSign account={account} title={words('etchTitle')} />
  return <EtchSteps key={`${account.id} ${state.network}`} state={state} account={account} />
}

function EtchSteps({ state }: { state: WalletState; account: SigningAccountView }) {
  const [form, setForm] = useState(EMPTY_ETCH_FORM)
  const [plan, setPlan] = useState<InscribePlanView | null>(null)
  const facts = useSendFacts(state)
  const planning = useTask()
  const { content, attempt, isTried, isWaiting } = useAttempt(form, facts.rates)
  const busy = planning.busy || isWaiting
  // A plan for a form that changed meanwhile is dropped, and a file takes a moment to read.
  const latest = useRef(form)
  latest.current = form
  if (plan) return <ReviewStep plan={plan} state={state} onBack={() => setPlan(null)} />
  const { draft, errors } = parseEtchForm(form, facts.rates.answer)
  const change = (next: Partial<EtchForm>) => {
    planning.forget()
    latest.current = { ...latest.current, ...next }
    setForm(latest.current)
  }
  const submit = () => {
    if (draft === null) return attempt()
    void planning.run(async () => {
      const next = await call('planRuneEtching', draft)
      if (latest.current === form) setPlan(next)
    })
  }
  return (
    <FormScreen
      title={words('etchTitle')}
      lead={words('etchLead')}
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
      onSubmit={submit}
    >
      <EtchFields
        ref={content}
        form={form}
        errors={errors}
        tried={isTried}
        facts={facts}
        onChange={change}
      />
    </FormScreen>
  )
}
