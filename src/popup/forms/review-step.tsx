import type { InscribePlanView } from '../../background/views/inscribe-views.ts'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { navigate } from '../platform/route.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { InscribeBody } from '../review/inscribing/inscribe-body.tsx'
import { useInscribeConsents } from '../review/inscribing/inscribe-consents.ts'
import { describeInscribing } from '../review/inscribing/inscribe-effect.tsx'
import { ReviewScreen } from '../review/review-screen.tsx'
import { useTask } from '../state/use-task.ts'

type ReviewStepProps = {
  plan: InscribePlanView
  state: WalletState
  /** Back to the form. */
  onBack: () => void
  /** Called once the job is stored: what was typed can be forgotten. The job is shown next. */
  onDone?: () => void
}

/** Inscriptions of our own before they are signed. */
export function ReviewStep({ plan, state, onBack, onDone }: ReviewStepProps) {
  const { planId, digest, review } = plan
  const confirming = useTask()
  const account = state.accounts.find(({ id }) => id === state.accountId)
  // What is taken back is the wallet's own key's to sign.
  const goesToDevice = account?.source === 'device' && review.purpose !== 'refund'
  const confirm = () =>
    confirming.run(async () => {
      if (goesToDevice) return navigate(`/device/${planId}.${digest}.inscribe`)
      const { jobId } = await call('confirmInscribe', { planId, digest })
      onDone?.()
      navigate(`/inscribe/jobs/${jobId}`, { replace: true })
    })
  return (
    <ReviewScreen
      title={describeInscribing(review)}
      account={account}
      network={state.network}
      digest={digest}
      verb={words(
        goesToDevice ? 'deviceContinue' : confirming.busy ? 'jobSigning' : verbOf(review),
      )}
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

function verbOf({ purpose, etching, delivery }: InscribePlanView['review']) {
  if (delivery && purpose === 'inscribe') return 'homeSend'
  return etching && purpose === 'inscribe' ? 'etchDo' : VERBS[purpose]
}

const VERBS = {
  inscribe: 'inscribeDo',
  bump: 'jobBump',
  refund: 'jobRefundDo',
} as const
