import { canPay } from '../../state/can-sign.ts'
/**
 * Paying: writing a payment, its review, its result, and replacing or speeding up one that waits. A half-written payment
 * survives the popup's closing. The background plans, checks and signs; this page never builds a transaction.
 */

import { useRef, useState } from 'react'
import type { PayingAccountView } from '../../../background/views/account-views.ts'
import type {
  PaymentDraft,
  PaymentPlanView,
  PaymentResult,
} from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { nameInWords } from '../../forms/name-words.ts'
import { PaymentResultScreen } from '../../forms/payment-result.tsx'
import { PaymentReviewScreen } from '../../forms/payment-review.tsx'
import { parsePaymentText } from '../../forms/payment-text.ts'
import { emptyForm, emptyRecipient, type SendForm } from '../../forms/send-form.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useDraft } from '../../state/use-draft.ts'
import { useTask } from '../../state/use-task.ts'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { PaymentForm } from './payment-form.tsx'

/** Writing a payment, looking at it, and what became of it. */
export function Send({ state }: PageProps) {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canPay(account)) return <CannotSign account={account} title={words('sendTitle')} />
  return <SendSteps key={`${account.id} ${state.network}`} state={state} account={account} />
}

type SendStepsProps = { state: WalletState; account: PayingAccountView }

function SendSteps({ state, account }: SendStepsProps) {
  const [, given = ''] = useRoute()
  const [start] = useState(() => readStart(given, state.network))
  const { form, change, forget } = useDraft({
    key: 'draft',
    subject: `${account.id} ${state.network}`,
    first: start.form,
    empty: emptyForm,
  })
  const [plan, setPlan] = useState<PaymentPlanView | null>(null)
  const [result, setResult] = useState<PaymentResult | null>(null)
  const [startProblem, setStartProblem] = useState(start.problem)
  const planning = useTask()
  // A plan for a form that changed meanwhile is dropped.
  const latest = useRef(form)
  latest.current = form
  if (form === null) return <ScreenSkeleton />
  if (plan && result) {
    return <PaymentResultScreen review={plan.review} result={result} />
  }
  if (plan) {
    return (
      <PaymentReviewScreen
        plan={plan}
        account={account}
        network={state.network}
        onBack={() => setPlan(null)}
        onSent={sent => {
          forget()
          setResult(sent)
        }}
      />
    )
  }
  return (
    <PaymentForm
      form={form}
      onChange={next => {
        planning.forget()
        setStartProblem(null)
        change(next)
      }}
      state={state}
      account={account}
      problem={planning.failure ?? startProblem}
      showPicture={given === PICTURE}
      busy={planning.busy}
      onBack={goBack}
      onReview={(draft: PaymentDraft) =>
        void planning.run(async () => {
          const next = await nameInWords(call('planPayment', draft))
          if (latest.current === form) setPlan(next)
        })
      }
    />
  )
}

/** Path of the form with the dialog for a picture open, which needs a tab. */
export const PICTURE = 'picture'

/** The form that a link or an address in the path asks for; none where the draft goes on. */
function readStart(
  given: string,
  network: Network,
): { form: SendForm | null; problem: string | null } {
  if (given === '' || given === PICTURE) return { form: null, problem: null }
  try {
    const { to, amountBtc, label } = parsePaymentText(given, network)
    const recipient = { ...emptyRecipient(), to, amount: amountBtc }
    return { form: { ...emptyForm(), recipients: [recipient], label }, problem: null }
  } catch (error) {
    return { form: null, problem: error instanceof Error ? error.message : String(error) }
  }
}
