import { type ReactNode, useState } from 'react'
import type { PayingAccountView } from '../../background/views/account-views.ts'
import type { PaymentPlanView, PaymentResult } from '../../background/views/payment-views.ts'
import type { Network } from '../../bitcoin/network.ts'
import { PaymentResultScreen } from './payment-result.tsx'
import { PaymentReviewScreen } from './payment-review.tsx'

type PlanStepsProps = {
  account: PayingAccountView
  network: Network
  onSent?: () => void
  /** The form. What is typed in it has to be held outside, since it is unmounted during the review. */
  children: (onPlan: (plan: PaymentPlanView) => void) => ReactNode
}

/** A form, the review of its plan, and the result. */
export function PlanSteps({ account, network, onSent, children }: PlanStepsProps) {
  const [plan, setPlan] = useState<PaymentPlanView | null>(null)
  const [result, setResult] = useState<PaymentResult | null>(null)
  if (plan === null) return children(setPlan)
  if (result) return <PaymentResultScreen review={plan.review} result={result} />
  return (
    <PaymentReviewScreen
      plan={plan}
      account={account}
      network={network}
      onBack={() => setPlan(null)}
      onSent={sent => {
        onSent?.()
        setResult(sent)
      }}
    />
  )
}
