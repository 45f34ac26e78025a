import type { InscribePlanView } from '../../../background/ui-methods/inscribe-views.ts'
import type { WalletState } from '../../../background/ui-methods/ui-methods.ts'
import { ApproveButton } from '../../approvals/approve-button.tsx'
import { InscribeBody } from '../../approvals/inscribe-body.tsx'
import { useInscribeConsents } from '../../approvals/inscribe-consents.ts'
import { describeInscribing } from '../../approvals/inscribe-effect.tsx'
import { navigate } from '../../route.ts'
import { call } from '../../rpc.ts'
import { Button } from '../../ui/button.tsx'
import { Identicon } from '../../ui/identicon.tsx'
import { isTestNetwork, NETWORK_NAMES } from '../../ui/names.ts'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { useTask } from '../../use-task.ts'
import { words } from '../../words.ts'
import '../send/send.css'

type ReviewStepProps = {
  plan: InscribePlanView
  state: WalletState
  /** To the form, which has to keep what is typed in it. */
  onBack: () => void
  /** It is stored: what was typed for it can be forgotten. Its job is shown next. */
  onDone?: () => void
}

/** Inscriptions of our own before they are signed: what the approval of a site's shows. */
export function ReviewStep({ plan, state, onBack, onDone }: ReviewStepProps) {
  const { planId, digest, review } = plan
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const { boxes, blocked } = useInscribeConsents(review)
  const confirming = useTask()
  const confirm = () =>
    confirming.run(async () => {
      const { jobId } = await call('confirmInscribe', { planId, digest })
      onDone?.()
      navigate(`/inscribe/jobs/${jobId}`, { replace: true })
    })
  return (
    <Screen
      head={
        <>
          {confirming.busy ? null : <BackButton onBack={onBack} />}
          <span className="review-account">
            {account ? <Identicon text={account.id} size={20} /> : null}
            <span className="name">{account?.name}</span>
          </span>
          <span className={`pill push${isTestNetwork(state.network) ? ' test' : ''}`}>
            {NETWORK_NAMES[state.network]}
          </span>
        </>
      }
      foot={
        <>
          {confirming.failure ? (
            <Notice tone="danger" title={words('jobNotSent')} live>
              {confirming.failure}
            </Notice>
          ) : null}
          {boxes}
          <div className="answers">
            <Button look="secondary" disabled={confirming.busy} onClick={onBack}>
              {words('sendEdit')}
            </Button>
            <ApproveButton
              digest={digest}
              verb={words(confirming.busy ? 'jobSigning' : VERBS[review.purpose])}
              blocked={blocked}
              busy={confirming.busy}
              onApprove={() => void confirm()}
            />
          </div>
        </>
      }
    >
      <Title>{describeInscribing(review)}</Title>
      <InscribeBody review={review} />
    </Screen>
  )
}

const VERBS = {
  inscribe: 'inscribeDo',
  bump: 'jobBump',
  refund: 'jobRefundDo',
} as const
