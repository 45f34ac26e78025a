import type { InscribePlanView } from '../../../background/ui-methods/inscribe-views.ts'
import type { WalletState } from '../../../background/ui-methods/ui-methods.ts'
import { InscribeBody } from '../../approvals/inscribe-body.tsx'
import { useInscribeConsents } from '../../approvals/inscribe-consents.ts'
import { describeInscribing } from '../../approvals/inscribe-effect.tsx'
import { navigate } from '../../route.ts'
import { call } from '../../rpc.ts'
import { useTask } from '../../use-task.ts'
import { words } from '../../words.ts'
import { ReviewScreen } from '../review-screen.tsx'

type ReviewStepProps = {
  plan: InscribePlanView
  state: WalletState
  /** To the form, which has to keep what is typed in it. */
  onBack: () => void
  /** It is stored: what was typed for it can be forgotten. Its job is shown next. */
  onDone?: () => void
}

/** Inscriptions of our own before they are signed. */
export function ReviewStep({ plan, state, onBack, onDone }: ReviewStepProps) {
  const { planId, digest, review } = plan
  const confirming = useTask()
  const confirm = () =>
    confirming.run(async () => {
      const { jobId } = await call('confirmInscribe', { planId, digest })
      onDone?.()
      navigate(`/inscribe/jobs/${jobId}`, { replace: true })
    })
  return (
    <ReviewScreen
      title={describeInscribing(review)}
      account={state.accounts.find(({ id }) => id === state.accountId)}
      network={state.network}
      digest={digest}
      verb={words(confirming.busy ? 'jobSigning' : VERBS[review.purpose])}
      consents={useInscribeConsents(review)}
      task={confirming}
      failed={words('jobNotSent')}
      onBack={onBack}
      onApprove={() => void confirm()}
    >
      <InscribeBody review={review} />
    </ReviewScreen>
  )
}

const VERBS = {
  inscribe: 'inscribeDo',
  bump: 'jobBump',
  refund: 'jobRefundDo',
} as const
